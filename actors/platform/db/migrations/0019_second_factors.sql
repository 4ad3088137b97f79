-- Second factors of accounts (docs/decisions/0064-second-factors.md).

ALTER TABLE accounts
  -- The app that makes codes: { sealed, last_step, since }. The secret is encrypted; a code of an earlier step is refused.
  ADD COLUMN totp jsonb,
  -- SHA-256 of the recovery codes that are left.
  ADD COLUMN recovery_codes jsonb NOT NULL DEFAULT '[]';

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  name text NOT NULL,
  -- As the browser names it, and its public key (COSE): both in base64url.
  credential_id text NOT NULL,
  public_key text NOT NULL,
  -- How often it has signed; 0 where its authenticator does not count.
  counter bigint NOT NULL,
  transports jsonb NOT NULL,
  -- Whether its owner's other devices may have it too.
  synced boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at, id);
INSERT INTO actor_tables (name) VALUES ('passkeys');
