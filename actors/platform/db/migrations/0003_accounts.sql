-- Accounts: users with their sessions, API tokens and code-host identities, projects, and pools.

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

-- A session is a family of refresh tokens of which only the newest is valid: presenting an older one ends the session.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the secret that all tokens of the session share; of a token without it nothing is concluded.
  family_hash text NOT NULL,
  refresh_hash text NOT NULL,
  generation int NOT NULL,
  created_at timestamptz NOT NULL,
  refreshed_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Of the sign-in, for the user to tell sessions apart.
  address text,
  user_agent text
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_user_ended ON sessions (user_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- API tokens: long-lived credentials that a user gives to programs. Only the SHA-256 of a token is stored.
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
CREATE INDEX api_tokens_user_ended ON api_tokens (user_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX api_tokens_ended ON api_tokens (ended_at) WHERE ended_at IS NOT NULL;

-- A user's identity at the code host, and the bonus that the user has claimed.
CREATE TABLE codehost_accounts (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  -- A link in progress: the hash of its state, the hash of the cookie that binds it to a browser, and the PKCE verifier.
  attempt_state_hash text,
  attempt_binding_hash text,
  attempt_verifier text,
  attempt_expires_at timestamptz,
  identity_id text,
  username text,
  linked_at timestamptz,
  -- A claim in progress.
  claiming_saga text,
  claiming_identity_id text,
  claiming_cents bigint,
  claiming_joined boolean,
  claim_identity_id text,
  claim_cents bigint,
  claim_transaction_id text,
  claimed_at timestamptz,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

-- The account that has claimed a bonus with an identity. An identity counts once, and stays with that account.
CREATE TABLE codehost_identities (
  identity_id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  held_at timestamptz NOT NULL
);

CREATE TABLE projects (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX projects_user_name ON projects (user_id, lower(name));

-- Pools: servers that a team shares, and the roles of its members.
CREATE TABLE pools (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  owner_id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  settings jsonb NOT NULL,
  is_default boolean NOT NULL,
  -- Grows with each change of who may enter: hosts receive it.
  access_revision bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pools_owner_name ON pools (owner_id, lower(name));
CREATE UNIQUE INDEX pools_default ON pools (owner_id) WHERE is_default;
CREATE INDEX pools_updated ON pools (updated_at);

CREATE TABLE pool_members (
  pool_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'user')),
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (pool_id, user_id)
);
CREATE INDEX pool_members_user ON pool_members (user_id);

CREATE TABLE pool_invitations (
  id text PRIMARY KEY,
  pool_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'user')),
  invited_by text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected', 'withdrawn')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pool_invitations_pending ON pool_invitations (pool_id, user_id) WHERE status = 'pending';
CREATE INDEX pool_invitations_user ON pool_invitations (user_id) WHERE status = 'pending';

INSERT INTO actor_tables (name) VALUES
  ('accounts'), ('sessions'), ('token_holders'), ('api_tokens'), ('codehost_accounts'), ('codehost_identities'),
  ('projects'), ('pools'), ('pool_members'), ('pool_invitations');
