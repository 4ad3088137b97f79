-- Acts of administrators in the audit log, and suspended accounts (docs/decisions/0058-operators.md).

-- Whose account; null: the act concerns no account, but a server or an image.
ALTER TABLE audit_entries ALTER COLUMN user_id DROP NOT NULL;
-- The record that the act concerns, if it is no account.
ALTER TABLE audit_entries ADD COLUMN resource_id text;
-- An act that only an administrator may do.
ALTER TABLE audit_entries ADD COLUMN privileged boolean NOT NULL DEFAULT false;
-- Of the request that asked for the act.
ALTER TABLE audit_entries ADD COLUMN request_id text;
ALTER TABLE audit_entries ADD COLUMN address text;
UPDATE audit_entries SET privileged = true WHERE act IN ('impersonated', 'recovery_started');
CREATE INDEX audit_entries_privileged ON audit_entries (created_at DESC, id DESC) WHERE privileged;

-- { reason, by_id, since } while an administrator has closed the account.
ALTER TABLE accounts ADD COLUMN suspension jsonb;
CREATE INDEX accounts_suspended ON accounts (id) WHERE suspension IS NOT NULL;
