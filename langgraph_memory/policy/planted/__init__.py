"""How text from outside words an order to its reader, by language."""
