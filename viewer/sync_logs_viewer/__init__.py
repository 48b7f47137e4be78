"""The viewer of dbt-sync-logs: the documented tables in a browser and on the terminal.

Data flows in one direction: `questions` (queries, as SQL with markers for values) → `warehouse`
(runs them) → `answers` (cached, masked) → `web` (pages), `downloads`, `commands` (the terminal),
`mcp_server` (tools for machines). Terminal and tools take their questions from `named`.
"""
