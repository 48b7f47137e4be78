"""The viewer's pages on a small warehouse that is built once for all files of this folder."""
