{#
  The built-in rules. If several match, the one with the lowest priority number counts. This is a
  SQL model, not a seed: a consumer cannot edit the seed of a package, and an embedded Spark removes
  backslashes and apostrophes from a seed.
#}
{# a number counts only if it is a status code: `seats between 0 and 500` has none #}
{% set code = '(^|(http[^ ]*|status|code|error)[ :=#]*)' %}
{% set end = '([^0-9]|$)' %}
{% set rules = [
    (10, 'missing key', false,
        '^invalid record: (identifier is null|status null)',
        'Give each row of the model a primary key.'),
    (10, 'duplicate key', false,
        '^invalid record: duplicate identifier',
        'Make the primary key of the model unique.'),
    (15, 'unknown log value', false,
        '^unrecognised (status|operation):',
        'The log has a word that this package does not know.'),
    (20, 'rate limit', true,
        'rate.?limit|request.?limit|too many requests|quota|throttl|' ~ code ~ '429' ~ end,
        'Wait, or send less at a time.'),
    (20, 'timeout', true,
        'timed? ?out|deadline exceeded',
        'It usually passes; smaller batches help.'),
    (25, 'destination unavailable', true,
        'unavailable|bad gateway|gateway error|internal (server )?error|try again later'
        ~ '|connection (was )?(reset|refused|closed)|' ~ code ~ '50[0234]' ~ end,
        'It usually passes by the next run.'),
    (25, 'locked record', true,
        'unable to lock|row.?lock|deadlock|lock wait',
        'Two writers met; smaller batches, or one sync after another, avoid it.'),
    (30, 'permission', false,
        'permission|authori[sz]ed|forbidden|access.denied|insufficient (access|privilege)'
        ~ '|invalid.(credential|token|grant)|expired token|' ~ code ~ '40[13]' ~ end,
        'Renew the connection, or give its user rights on the object and its fields.'),
    (35, 'consent or suppression', false,
        'unsubscrib|opt(ed)?.?out|consent|suppress|do.not.(contact|email)',
        'The person must not be reached there: leave the record out of the model.'),
    (40, 'missing value', false,
        'not null constraint|(cannot|must not|can.t) be (null|blank|empty)|null value'
        ~ '|required.*missing|missing.*required|is required',
        'Fill the field in the model, or leave the record out.'),
    (40, 'not unique', false,
        'unique constraint|duplicate|already (exists|in use|taken)|must be unique',
        'Another record of the destination has this value: merge them, or map another field.'),
    (45, 'reference not found', false,
        'foreign key|not found|does ?n.t exist|does not exist|no such'
        ~ '|unknown (id|record|object|user)|' ~ code ~ '404' ~ end,
        'What the record refers to is not in the destination: sync that first.'),
    (50, 'value too long', false,
        'too (long|large|big)|max(imum)? (length|size)|exceed',
        'Shorten the value in the model.'),
    (60, 'invalid value', false,
        'check constraint|invalid|malformed|not a valid|bad (value|format|request)|picklist'
        ~ '|out of range|unsupported|(cannot|can.t) (parse|convert)|wrong (type|format)'
        ~ '|validation|' ~ code ~ '4(00|22)' ~ end,
        'Clean the value in the model, or map it to one that the destination accepts.'),
] %}

{% for priority, category, is_transient, pattern, hint in rules %}
    select
        '(?i){{ pattern }}' as pattern,
        '{{ category }}' as category,
        {{ priority }} as priority,
        {{ is_transient | lower }} as is_transient,
        '{{ hint }}' as hint
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
