-- In transactions of their own, under locks that stop nobody: the references of before, and the check of old journals.
INSERT INTO wallet.old_reference (tenant, reference, journal_id)
SELECT DISTINCT ON (account.tenant, journal.reference) account.tenant, journal.reference, journal.id
FROM wallet.journal JOIN wallet.entry ON entry.journal_id = journal.id JOIN wallet.account ON account.id = entry.account_id
WHERE journal.kind = 'deposit' AND journal.reference <> '' AND journal.tenant IS NULL AND account.kind = 'player'
ORDER BY account.tenant, journal.reference, journal.created_at, journal.id
ON CONFLICT DO NOTHING;
