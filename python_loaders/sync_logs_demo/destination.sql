-- The destination of the demo. SQLite decides what it refuses, and with which message.
create table accounts (
    code text primary key,
    name text not null,
    contact_email text not null unique check (contact_email like '%_@_%'),
    seats integer not null check (seats between 0 and 500),
    is_active integer not null,
    zones text not null
);

create table territories (
    zone text primary key,
    country_code text not null check (length(country_code) = 2),
    latitude real not null check (latitude between -90 and 90),
    longitude real not null check (longitude between -180 and 180),
    label text not null unique,
    priority integer not null check (priority > 0),
    comments text,
    exported_on text
);

create table zone_members (
    zone text primary key,
    country_code text not null,
    score integer not null check (score between 0 and 99),
    slot text not null unique,
    split_group text not null check (split_group in ('treatment', 'control'))
);

create table country_members (
    code text primary key,
    name text not null,
    score integer not null check (score between 0 and 99),
    slot text not null unique
);

-- A member with an open order cannot leave until the order is closed.
create table zone_orders (member text not null references zone_members (zone));
create trigger zone_order after insert on zone_members when new.slot like '%7-a'
begin
    insert into zone_orders values (new.zone);
end;

create table country_orders (member text not null references country_members (code));
create trigger country_order after insert on country_members when new.slot like '%3-a'
begin
    insert into country_orders values (new.code);
end;

create table element_lines (
    symbol text primary key,
    number integer not null unique,
    name text not null,
    atomic_mass real not null check (atomic_mass > 0),
    stock integer not null
);

create table country_lines (
    code text primary key,
    name text not null unique check (name <> ''),
    contact_email text not null,
    seats integer not null check (seats >= 0),
    is_active integer not null,
    zones text not null
);

create table price_events (
    symbol text not null,
    quoted_on text not null,
    price real not null check (price > 0),
    unique (symbol, quoted_on)
);
