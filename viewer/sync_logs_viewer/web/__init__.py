"""The pages: they turn addresses into documents. There is no SQL here."""
