"""The screen: pure views over the event stream."""
