"""The built-in commands; the table in `program` says where each is."""
