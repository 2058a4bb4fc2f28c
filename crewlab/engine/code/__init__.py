"""Language servers, structural search and debuggers. Stands on ``tools``; built in a later part."""
