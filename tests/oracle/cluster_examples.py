"""Patterns of real-looking messages, grouped by hand as the rules for clusters group them.

They are those of the table of patterns in docs/answers.md, and others here. They are clustered
together: the weights of words, and so the groups, depend on all of them.
"""

from .pattern_examples import examples

# Groups of at least two.
GROUPS: tuple[tuple[str, ...], ...] = (
    (
        "Invalid email: <mail>",
        "'email' is not valid",
        "The value <email> is not a valid email address",
        "INVALID_EMAIL_ADDRESS: Email: invalid email address: <Email>",
        'Property values were not valid: [{"isValid":false,"message":"Email address <email> is '
        'invalid","error":"INVALID_EMAIL","name":"email"}]',
    ),
    (
        "The 'To' number <number> is not a valid phone number.",
        "Invalid phone number: <phone>",
    ),
    (
        "Missing required property: email",
        "Required properties were missing: [email]",
        "REQUIRED_FIELD_MISSING: Required fields are missing: [LastName]",
    ),
    (
        "429 Too Many Requests",
        "Too many requests, please retry after <number> seconds",
    ),
    (
        "Rate limit exceeded",
        "REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.",
    ),
    (
        "Record not found",
        "user <id> not found",
    ),
    (
        "A contact matching those details already exists with id=<hash>",
        "Contact already exists. Existing ID: <id>",
    ),
    (
        "duplicate value found: Ref__c duplicates value on record with id: <id>",
        "DUPLICATE_VALUE: duplicate value found: Code__c duplicates value on record with id: <id>",
    ),
    (
        'duplicate key value violates unique constraint "users_email_key" Key (email)=(<email>) '
        "already exists.",
        'duplicate key value violates unique constraint "orders_pkey" (SQLSTATE 23505)',
        'duplicate key value violates unique constraint "contacts_pkey"',
    ),
    (
        "unable to obtain exclusive access to this record or 2 records: <id>",
        "UNABLE_TO_LOCK_ROW: unable to obtain exclusive access to this record",
    ),
    (
        "No such column 'Foo__c' on entity 'Contact'",
        "No such column 'Bar__c' on entity 'Lead'",
    ),
    (
        "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST, Payment Method: bad value for restricted "
        "picklist field: <PaymentMethod>: [PaymentMethod]",
        "Picklist Value: bad value for restricted picklist field: <Tier__c>",
    ),
    (
        "STRING_TOO_LONG: Billing City: data value too large: <BillingCity> (max length=20)",
        "STRING_TOO_LONG: Last Name: data value too large: <LastName> (max length=80)",
    ),
    (
        "value too long for type character varying(100)",
        "value too long for type character varying(255)",
    ),
    (
        "100038 (22018): Numeric value '<age>' is not recognized",
        "100038 (22018): <uuid>: Numeric value '<time>' is not recognized",
    ),
    (
        "Cannot convert value to integer (bad value): <level>",
        "Cannot convert value to integer (bad value): 301.08670901",
    ),
    (
        "Invalid digit, Value '<qty>', Pos 0, Type: Integer",
        "Invalid value \u2018<score>'. Required of type \u2018integer'",
        'invalid input syntax for type integer: "<age>"',
    ),
    (
        "Access denied: insufficient permissions",
        "INSUFFICIENT_ACCESS_OR_READONLY: insufficient access rights on object id",
    ),
    (
        "Authentication failed: token expired",
        "The access token has expired",
    ),
    (
        "503 Service Unavailable",
        "Service temporarily unavailable",
    ),
    (
        "Connection timed out",
        "Request timed out after 30 seconds",
    ),
)

# A comment says what else says the same.
ALONE: tuple[str, ...] = (
    "500 Internal Server Error",
    # a request that timed out
    "Read timeout",
    # a token that has expired
    "401 Unauthorized",
    # values that are too long
    "String '<city>' is too long and would be truncated",
    # an address that is not valid
    "Please enter the correct e-mail",
)


def example_groups() -> list[list[str]]:
    """Return all groups, each in order; those of the table that are in no group are alone."""
    grouped = {pattern for group in GROUPS for pattern in group}
    others = {*ALONE, *(one.pattern for one in examples())} - grouped
    return sorted(sorted(group) for group in (*GROUPS, *([one] for one in others)))
