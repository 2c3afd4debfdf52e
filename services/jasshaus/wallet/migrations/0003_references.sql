-- A reference is written one way: composed letters, single spaces inside it, nothing that is not seen.
ALTER TABLE wallet.journal
    DROP CONSTRAINT reference_without_stray_blanks,
    ADD CONSTRAINT reference_without_look_alikes CHECK (
        reference IS NFC NORMALIZED
        AND reference !~ '^ | $|  |(?! )\s|[[:cntrl:]\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]');
