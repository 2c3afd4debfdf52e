-- Where the ledger stands, and what happens after its database was taken back in time. See "Recovery" in docs/ledger.md.
--
-- The database cannot know by itself that it is a copy of an earlier time, but three things give it away: it runs on another
-- server (another cluster, database or schema: a dump restored), on another timeline (a restore to a point in time, a promoted
-- standby), or at an earlier position of its write-ahead log than somebody has seen (a copy of the data folder put back). Until
-- the tables, which live in Redis, have been compared with the pots, nothing is done that takes money out of them.

-- Each stretch of the ledger's life between two restores has a name that no other has: a copy put back twice runs on two lineages.
CREATE TABLE wallet.lineage (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    server text NOT NULL,
    timeline bigint NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- `seen`: the lineage of the position that gave it away, if the ledger did not know it: it is not held against it twice.
-- `ended_by`: the operator who ended it; NULL when the comparison did.
CREATE TABLE wallet.recovery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cause text NOT NULL CHECK (cause IN ('server', 'timeline', 'position')),
    lineage_id bigint NOT NULL REFERENCES wallet.lineage,
    flushed bigint NOT NULL,
    seen text,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    repaired bigint NOT NULL DEFAULT 0 CHECK (repaired >= 0),
    unmatched bigint NOT NULL DEFAULT 0 CHECK (unmatched >= 0),
    ended_by text
);
CREATE UNIQUE INDEX one_recovery_under_way ON wallet.recovery ((true)) WHERE ended_at IS NULL;

-- What the ledger knows of each start of its server: where it stood then, and whether anybody who remembers the time before has
-- been heard. A copy of the data folder put back looks like a restart to a wallet that is new; so no money goes out after a
-- start until somebody has said how far the ledger was seen to go. See "Recovery" in docs/ledger.md.

-- `begun`: the position at the start, NULL where it is not known. `heard`: the gate is open. `witnessed`: CheckLedger was asked;
-- what it is shown from then on may be of this start itself, and says nothing about the time before.
CREATE TABLE wallet.boot (
    started_at timestamptz PRIMARY KEY,
    begun bigint,
    heard boolean NOT NULL,
    witnessed boolean NOT NULL
);

-- Where a database is: its server, timeline and position in the log.
CREATE TYPE wallet.place AS (server text, timeline bigint, flushed bigint);

GRANT SELECT ON wallet.lineage, wallet.recovery, wallet.boot TO jasshaus_wallet;
