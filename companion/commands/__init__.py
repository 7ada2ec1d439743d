"""The commands of `companion`, one file each.

Only the command line imports a command's file, when that command is called.
"""
