"""Ways in for messages: ``Inbound`` and, later, Telegram. Stands on ``turn`` and ``store``."""
