"""A virtual rig to be set up: real pixels and bytes, a person who does what is asked, defects on command."""
