"""Other values in a failure reason: addresses, times, numbers and ids that no field has."""

import re
from dataclasses import dataclass

from .pattern_values import CLOSING_QUOTES, OPENING_QUOTES, follows_code_label, is_word

# Where a rule begins and ends, unless it says otherwise.
BEGIN, END = r"(?<!\w)", r"(?!\w)"
# It may be the name of a field, which an earlier step has put there.
BEGIN_OUTSIDE = r"(?<![\w<])"
# They stand for all characters that are not ASCII, so that `\w` means a word character.
A_LETTER, NO_LETTER = "\u00e9", "\u00b7"

URL_CHARACTER = r"[^ '\"`<>()\[\]{}]"
LAST_URL_CHARACTER = r"[^ '\"`<>()\[\]{}.,;:!?]"
DATE = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4})"
MINUTES = r"[0-9]{1,2}:[0-9]{2}"
SECONDS = r":[0-9]{2}(?:[.,][0-9]+)?"
ZONE = r"(?: [AP]M| ?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?"
HEXADECIMAL = "[0-9A-Fa-f]"
IPV4 = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]{1,5})?"
IPV6 = f"{HEXADECIMAL}{{1,4}}(?::{HEXADECIMAL}{{1,4}}){{7}}"
# `[^\W_]` is a letter or digit.
ID_LABEL = r"(?:(?<![^\W_])(?i:ids?)|(?<=[a-z])(?:Ids?|IDs?))"
LABELLED_ID = r"[A-Za-z0-9-]*[0-9][A-Za-z0-9-]*"
PLACE = "(?i:(?:row|line|column|position|index|offset)s?)"


@dataclass(frozen=True)
class Rule:
    """What becomes a placeholder: the part named `value`, or else all that is found."""

    placeholder: str
    expression: str


RULES = (
    Rule("(<row>)", r"(?s:Failing row contains (?P<value>\(.*\)))"),
    Rule(
        "<url>",
        rf"{BEGIN}(?i:https?|ftp)://"
        rf"(?:<[^<>]*>|{URL_CHARACTER})*(?:<[^<>]*>|{LAST_URL_CHARACTER})",
    ),
    Rule(
        "<email address>",
        rf"{BEGIN}[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+{END}",
    ),
    Rule(
        "<uuid>",
        rf"{BEGIN_OUTSIDE}{HEXADECIMAL}{{8}}(?:-{HEXADECIMAL}{{4}}){{3}}-{HEXADECIMAL}{{12}}{END}",
    ),
    Rule(
        "<time>",
        rf"{BEGIN_OUTSIDE}(?:{DATE}(?:(?:T| +){MINUTES}(?:{SECONDS})?{ZONE})?"
        rf"|{MINUTES}{SECONDS}{ZONE}){END}",
    ),
    Rule("<ip>", f"{BEGIN}(?:{IPV4}|{IPV6}){END}"),
    Rule(
        "<hash>",
        rf"{BEGIN_OUTSIDE}(?:(?=[0-9]*[A-Fa-f])(?=[A-Fa-f]*[0-9]){HEXADECIMAL}{{16,128}}"
        rf"|0x{HEXADECIMAL}+){END}",
    ),
    Rule("<id>", rf"{BEGIN_OUTSIDE}[a-z]{{2,6}}_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{{8,}}{END}"),
    Rule(
        "<id>",
        rf"{BEGIN_OUTSIDE}(?![A-Z]+[0-9]+{END})(?=[0-9]*[A-Za-z])"
        rf"(?=[0-9]|(?:[A-Za-z]*[0-9]){{3}})[A-Za-z0-9]{{10,}}{END}",
    ),
    Rule(
        "<id>",
        rf"{ID_LABEL}[{re.escape(CLOSING_QUOTES)}]?(?: is)?[ :=#]{{1,2}}"
        rf"[{re.escape(OPENING_QUOTES)}]?(?P<value>{LABELLED_ID}(?:, ?{LABELLED_ID})*){END}",
    ),
    Rule("<number>", r"(?<=[A-Za-z_])\[(?P<value>[0-9]+)\]"),
    Rule("<number>", rf"{BEGIN}{PLACE}(?: |: |:| #)(?P<value>[0-9]+){END}"),
    Rule("<number>", rf"{BEGIN}\+[0-9][0-9 ()-]{{7,}}[0-9]{END}"),
    Rule("<number>", rf"{BEGIN}(?P<plain>[0-9]{{6,}}(?:\.[0-9]+)?){END}"),
)


def replace_other_values(reason: str) -> str:
    """Apply one rule after another."""
    for rule in RULES:
        reason = _apply(rule, reason)
    return reason


def _apply(rule: Rule, reason: str) -> str:
    parts = []
    start = 0
    for found in re.finditer(rule.expression, "".join(map(_read_as, reason))):
        groups = found.groupdict()
        if "plain" in groups and _is_code(reason[: found.start()]):
            continue
        value_start, value_end = found.span("value") if "value" in groups else found.span()
        parts += [reason[start:value_start], rule.placeholder]
        start = value_end
    return "".join([*parts, reason[start:]])


def _is_code(before: str) -> bool:
    """Whether a number after this text may be the code of an error, or part of another number."""
    return before == "" or before.endswith(".") or follows_code_label(before)


def _read_as(character: str) -> str:
    if character.isascii() or character in OPENING_QUOTES + CLOSING_QUOTES:
        return character
    return A_LETTER if is_word(character) else NO_LETTER
