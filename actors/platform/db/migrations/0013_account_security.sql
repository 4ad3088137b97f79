-- The audit log of accounts, and recovery of accounts by operators (docs/decisions/0054-account-security.md).

-- What was done with credentials, and by whom. Unlike events, users cannot delete it.
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  -- Whose account.
  user_id text NOT NULL,
  -- Who acted; null: somebody who did not prove who they are.
  by_id text,
  act text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX audit_entries_user ON audit_entries (user_id, created_at DESC, id DESC);

-- The recovery link that waits: { token_hash, expires_at }.
ALTER TABLE accounts ADD COLUMN recovery jsonb;

INSERT INTO actor_tables (name) VALUES ('audit_entries');
