-- Notices by mail: which of them a user wants, whether the address was proven, from where the user signed in before, and below which balance
-- the wallet says so (docs/decisions/0130-outgoing-mail.md).
ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz;
ALTER TABLE accounts ADD COLUMN email_verification jsonb;
ALTER TABLE accounts ADD COLUMN mail_notices jsonb NOT NULL DEFAULT '{"security": true, "money": true, "containers": false}';
ALTER TABLE accounts ADD COLUMN known_places jsonb NOT NULL DEFAULT '[]';
-- null: never
ALTER TABLE wallets ADD COLUMN low_balance_cents bigint;
