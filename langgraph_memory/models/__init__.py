"""The models at work: embedders, chat models, token counters. Each keeps a contract of ports."""
