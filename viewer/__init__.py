"""The screen of dbt-sync-logs: the documented tables in a browser and on the terminal.

In one direction: `questions` (what can be asked, as SQL with bound values) → `warehouse` (who
answers) → `answers` (cached, masked) → `web` (pages), `downloads`, `commands` (the terminal).
"""
