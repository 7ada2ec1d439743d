"""The dashboard: terminal screens that show the event stream."""
