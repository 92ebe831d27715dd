"""One module for each command, named after it; `command_table` says where each command is."""
