-- What operators let expire (schemas/settings/retention.ts) is found by its time.

CREATE INDEX receipts_client ON receipts (created_at) WHERE NOT minted;
-- Entries are only ever added, so that the blocks are in the order of time.
CREATE INDEX audit_entries_time ON audit_entries USING brin (created_at);
