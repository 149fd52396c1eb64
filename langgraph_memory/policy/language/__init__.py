"""How people say things: sentences, amounts, days, names, and how sure they are."""
