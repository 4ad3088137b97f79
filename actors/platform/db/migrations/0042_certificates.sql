-- Certificates that an ACME authority issues (docs/decisions/0111-acme-by-actors.md).

CREATE TABLE acme_accounts (
  -- Of the directory's URL.
  id text PRIMARY KEY,
  version bigint NOT NULL,
  directory_url text NOT NULL,
  -- Encrypted (system/secret-box.ts).
  sealed_key text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE certificates (
  -- Of the name.
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL UNIQUE,
  -- gateway: a name of the API; edge: all names of a host; name: a single name at a host's edge.
  purpose text NOT NULL CHECK (purpose IN ('gateway', 'edge', 'name')),
  -- The user whose name it is, for limits.
  user_id text,
  -- PEM; null until the first one is issued.
  chain text,
  sealed_key text,
  not_before timestamptz,
  not_after timestamptz,
  -- When the next order begins.
  due_at timestamptz NOT NULL,
  -- Of orders since the last success, and why the last one failed.
  failures int NOT NULL CHECK (failures >= 0),
  error text,
  -- { token, key_authorization } of an order that is being proven by HTTP-01.
  challenge jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX certificates_due ON certificates (due_at);
CREATE INDEX certificates_challenges ON certificates ((challenge ->> 'token')) WHERE challenge IS NOT NULL;
CREATE INDEX certificates_of_users ON certificates (user_id, created_at) WHERE user_id IS NOT NULL;

INSERT INTO actor_tables (name) VALUES ('acme_accounts'), ('certificates');
