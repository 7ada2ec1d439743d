"""The notation of Sleepless Princess: states and actions as text."""
