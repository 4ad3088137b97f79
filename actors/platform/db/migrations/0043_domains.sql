-- Users' own domains for aliases (docs/decisions/0112-own-domains.md).

-- One row for each domain that somebody has claimed.
CREATE TABLE domain_names (
  -- Of the name.
  id text PRIMARY KEY,
  version bigint NOT NULL,
  name text NOT NULL UNIQUE,
  updated_at timestamptz NOT NULL
);

-- Claims: several accounts may claim a domain, and at most one has proven that it is theirs.
CREATE TABLE domains (
  id text PRIMARY KEY,
  domain_id text NOT NULL REFERENCES domain_names ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  domain text NOT NULL,
  user_id text NOT NULL,
  project_id text NOT NULL,
  container_id text NOT NULL,
  alias_id text NOT NULL,
  server_id text NOT NULL,
  -- The value of the TXT record that proves it.
  token text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'verified', 'failed')),
  proof text CHECK (proof IN ('txt', 'cname')),
  error text,
  -- Of a verified one: since when the proof is missing. Of another one: since when it was looked for.
  failing_since timestamptz,
  checked_at timestamptz,
  -- Null: it is checked again when its user asks.
  next_check_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX domains_verified ON domains (domain_id) WHERE state = 'verified';
CREATE INDEX domains_of_aliases ON domains (alias_id);
CREATE INDEX domains_due ON domains (next_check_at);

-- Domains that lead to an alias, as its host gets them.
ALTER TABLE aliases ADD COLUMN domains jsonb NOT NULL DEFAULT '[]';

INSERT INTO actor_tables (name) VALUES ('domain_names'), ('domains');
