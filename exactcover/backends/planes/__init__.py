"""A search that counts the options of all items at once, in planes of bits."""
