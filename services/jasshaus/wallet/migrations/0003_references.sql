-- A reference is the same in capitals and small letters, whatever the letters: `lower` by a database's own locale leaves those beyond A to Z
-- as they are where that is C. pg_c_utf8 comes with the server and is the same on every system, so no upgrade of one breaks the index.
DROP INDEX wallet.reference_used_once;
CREATE UNIQUE INDEX reference_used_once ON wallet.journal (tenant, kind, lower(reference COLLATE pg_c_utf8))
    WHERE pot_id IS NULL AND tenant IS NOT NULL AND reference <> '';

-- And it is written one way: composed letters, single spaces inside it, nothing that is not seen.
ALTER TABLE wallet.journal
    DROP CONSTRAINT reference_without_stray_blanks,
    ADD CONSTRAINT reference_without_look_alikes CHECK (
        reference IS NFC NORMALIZED AND reference COLLATE pg_c_utf8
            !~ '^ | $|  |(?! )\s|[[:cntrl:]\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]');
