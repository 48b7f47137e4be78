"""Where the value of a field, or the identifier, is replaced in a failure reason."""

import re
import unicodedata

MOST_CHARACTERS = 500
FEWEST_CHARACTERS = 3
FEWEST_DIGITS = 5
QUOTES_OF_SMALL_NUMBERS = "'\"`"
OPENING_BRACKETS = "([{"
OPENING_QUOTES = f"'\"`\u201c\u2018{OPENING_BRACKETS}"
CLOSING_QUOTES = "'\"`\u201d\u2019)]}"
MOST_BEFORE_A_QUOTE = 3
NUMBER = re.compile("[+-]?[0-9]+(?:[.,][0-9]+)*")
SMALL_NUMBER = re.compile("[0-9]{1,2}")
NO_VALUES = ("true", "false")
CODE_LABELS = ("code", "error", "errno", "status", "sqlstate")
AFTER_CODE_LABEL = " :=#(["
MOST_AFTER_CODE_LABEL = 3
LABELS = (
    *("object", "entity", "sobject", "type", "table", "relation", "class", "module", "function"),
    *("code", "error", "status", "exception"),
)
LABELS_OF_QUOTED = (
    *LABELS,
    *("field", "column", "property", "attribute", "parameter", "key", "constraint", "index"),
)


def is_word(character: str) -> bool:
    """Whether a character is a letter or digit of any script, or `_`; none (`""`) is not."""
    return character != "" and (character == "_" or _is_letter(character) or _is_digit(character))


def is_value(text: str, names: set[str]) -> bool:
    """Whether a text is looked for: not empty, too long, nested, a truth value or a name."""
    is_nested = text.startswith(("{", "["))
    is_other = is_nested or text in NO_VALUES or text in names
    return 0 < len(text) <= MOST_CHARACTERS and not is_other


def replace_value(reason: str, value: str, placeholder: str) -> str:
    """Replace a value wherever the rules say so, from left to right."""
    parts = []
    start = 0
    while start < len(reason):
        end = start + len(value)
        if reason.startswith(value, start) and _is_replaced(reason, value, start, end):
            parts.append(placeholder)
            start = end
        else:
            parts.append(reason[start])
            start += 1
    return "".join(parts)


def is_distinctive(value: str) -> bool:
    """Whether a value cannot be a word of the message."""
    if len(value) < FEWEST_CHARACTERS:
        return False
    if NUMBER.fullmatch(value):
        return sum(map(_is_digit, value)) >= FEWEST_DIGITS
    return any(not _is_letter(character) and character != "_" for character in value)


def follows_code_label(before: str) -> bool:
    """Whether a number after this text may be the code of an error."""
    label = before.rstrip(AFTER_CODE_LABEL)
    is_near = 1 <= len(before) - len(label) <= MOST_AFTER_CODE_LABEL
    return is_near and _in_lower_case(label).endswith(CODE_LABELS)


def _is_replaced(reason: str, value: str, start: int, end: int) -> bool:
    before, after = reason[:start], reason[end:]
    if is_distinctive(value):
        is_in_a_word = is_word(before[-1:]) or is_word(after[:1])
        is_code = NUMBER.fullmatch(value) is not None and follows_code_label(before)
        return not is_in_a_word and not is_code
    is_small = SMALL_NUMBER.fullmatch(value) is not None
    if _is_between_small_quotes(before, after) if is_small else _is_quoted(before, after):
        return not _is_labelled_in_quotes(before[:-1], after[1:])
    return not is_small and _ends_a_clause(before, after) and not _is_labelled(before)


def _is_between_small_quotes(before: str, after: str) -> bool:
    quotes = set(QUOTES_OF_SMALL_NUMBERS)
    return before[-1:] in quotes and after[:1] in quotes


def _is_quoted(before: str, after: str) -> bool:
    if before[-1:] not in set(OPENING_QUOTES) or after[:1] not in set(CLOSING_QUOTES):
        return False
    # `size(max)` is a call, and `rows[max]` an element
    return before[-1] not in OPENING_BRACKETS or not is_word(before[:-1][-1:])


def _is_labelled_in_quotes(before: str, after: str) -> bool:
    """Whether a label stands before the opening quote or after the closing one."""
    nearest = before.rstrip(" :=")
    if len(before) - len(nearest) <= MOST_BEFORE_A_QUOTE and _ends_with(nearest, LABELS_OF_QUOTED):
        return True
    return _starts_with(after.removeprefix(" "), LABELS_OF_QUOTED)


def _ends_a_clause(before: str, after: str) -> bool:
    is_after_sign = before.removesuffix(" ").endswith((":", "="))
    return is_after_sign and (after in ("", ".") or after.startswith((",", ";", ". ")))


def _is_labelled(before: str) -> bool:
    """Whether a label stands before the `:` or `=` in front of a value."""
    before_sign = before.removesuffix(" ")[:-1]
    return _ends_with(before_sign.removesuffix(" "), LABELS)


def _ends_with(text: str, labels: tuple[str, ...]) -> bool:
    text = _in_lower_case(text)
    return any(
        text.endswith(form) and not is_word(text.removesuffix(form)[-1:]) for form in _forms(labels)
    )


def _starts_with(text: str, labels: tuple[str, ...]) -> bool:
    text = _in_lower_case(text)
    return any(
        text.startswith(form) and not is_word(text.removeprefix(form)[:1])
        for form in _forms(labels)
    )


def _forms(labels: tuple[str, ...]) -> list[str]:
    return [*labels, *(f"{label}s" for label in labels)]


def _in_lower_case(text: str) -> str:
    """Change ASCII letters only, so that no other letter becomes one of a label."""
    return "".join(one.lower() if one.isascii() else one for one in text)


def _is_letter(character: str) -> bool:
    return unicodedata.category(character).startswith("L")


def _is_digit(character: str) -> bool:
    return unicodedata.category(character) == "Nd"
