"""The command line; thin: each command imports its room when it is called."""
