"""The tiny game of tests/support/queens.py on a table, with a folder's worth of virtual players."""
