-- Money also leaves, and mistakes are corrected. New values of an enum are usable only after the transaction that adds them.
ALTER TYPE wallet.journal_kind ADD VALUE IF NOT EXISTS 'withdrawal';
ALTER TYPE wallet.journal_kind ADD VALUE IF NOT EXISTS 'correction';
