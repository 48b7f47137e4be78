"""The templates of the pages and the report: they escape all values and fail on missing names."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from . import formats
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
        *(formats.text, formats.short, formats.identifier, formats.payload, formats.moment),
        *(formats.asked, formats.fits, formats.exact, formats.number, formats.percent),
        *(formats.duration, formats.figure, formats.hours),
    ):
        environment.filters[shape.__name__] = shape
    environment.globals["address"] = address
    return environment
