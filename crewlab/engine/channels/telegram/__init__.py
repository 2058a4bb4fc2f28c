"""The Telegram channel: one bot, one chat, a conversation of the master (CHN-1 to CHN-30).

``wire`` speaks the Bot API, ``pieces`` makes messages of Markdown, ``lines`` finds the files an answer names, ``outbox`` sends what
has to arrive, ``incoming`` takes messages and files, ``commands`` answers slash commands, ``notices`` tells of requests, ``bot`` polls.
"""
