-- API tokens: long-lived credentials that a user gives to programs. Only the SHA-256 of a token is kept.

CREATE TABLE token_holders (
  user_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  version bigint NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE api_tokens (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES token_holders (user_id) ON DELETE CASCADE,
  name text NOT NULL,
  hash text NOT NULL,
  permissions jsonb NOT NULL,
  realm_id text,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  -- Revoked or expired.
  ended_at timestamptz
);
CREATE INDEX api_tokens_user ON api_tokens (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX api_tokens_ended ON api_tokens (ended_at) WHERE ended_at IS NOT NULL;

INSERT INTO actor_tables (name) VALUES ('token_holders'), ('api_tokens');

-- A realm is a project: credentials that are bound to one see its events.
UPDATE events SET realm_id = project_id WHERE project_id IS NOT NULL AND realm_id IS NULL;
