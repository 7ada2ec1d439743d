"""The stream between an engine and its screens: events, commands, server, client."""
