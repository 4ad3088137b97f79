-- Accounts and their sessions.

CREATE TABLE accounts (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  username text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'admin')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));

-- A session is a family of refresh tokens of which only the newest is good: one that is shown again ends the session.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  refresh_hash text NOT NULL,
  generation int NOT NULL,
  created_at timestamptz NOT NULL,
  refreshed_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

INSERT INTO actor_tables (name) VALUES ('accounts'), ('sessions');
