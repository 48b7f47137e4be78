"""The templates of the pages and the report: they escape all values and fail on missing names."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sync_logs_viewer import fields

from . import bars, counting, formats
from .parameters import address

FOLDER = Path(__file__).parent / "templates"


@cache
def templates() -> Environment:
    """All templates, with the filters that format values."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for shape in (
        *(formats.text, formats.short, formats.identifier, formats.payload),
        *(formats.asked, formats.fits, formats.exact, formats.number, formats.percent),
        *(formats.duration, formats.figure, formats.hours, formats.largest),
        formats.different_values,
        *(bars.trend, bars.strip, bars.outcomes),
        *(counting.counts_of, counting.total, counting.share),
        *(fields.fields_of, fields.changed_names, fields.shown_fields),
    ):
        environment.filters[shape.__name__] = shape
    environment.globals["address"] = address
    return environment
