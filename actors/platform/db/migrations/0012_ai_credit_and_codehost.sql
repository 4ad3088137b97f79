-- AI credit at its provider, and identities at the code host with the bonus that they may claim.

-- A user's key at the provider. How much credit it should carry is in the wallet; here is what the provider was last told.
CREATE TABLE ai_credits (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  provider text NOT NULL,
  key_id text,
  synced_micros bigint NOT NULL CHECK (synced_micros >= 0),
  -- The limit that the key was made with: the transfer which led to it is the one that made the key.
  created_with_micros bigint,
  -- A try to make the key is written down before it is made, so that one whose outcome nobody heard is looked for.
  attempt int NOT NULL,
  attempt_at timestamptz,
  uncertain boolean NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

-- What the provider `sandbox` knows: it stands outside of the actors, as any provider does.
CREATE TABLE sandbox_ai_keys (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  limit_micros bigint NOT NULL CHECK (limit_micros >= 0),
  usage_micros bigint NOT NULL DEFAULT 0 CHECK (usage_micros >= 0)
);

-- A user's identity at the code host, and the bonus that the user has claimed.
CREATE TABLE codehost_accounts (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  -- A link that has begun: the hash of its state, what binds it to its browser, and the proof that the code is ours.
  attempt_state_hash text,
  attempt_binding_hash text,
  attempt_verifier text,
  attempt_expires_at timestamptz,
  identity_id text,
  username text,
  linked_at timestamptz,
  -- A claim that is under way.
  claiming_saga text,
  claiming_identity_id text,
  claiming_cents bigint,
  claiming_joined boolean NOT NULL,
  claim_identity_id text,
  claim_cents bigint,
  claim_transaction_id text,
  claimed_at timestamptz,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

-- Who has claimed with an identity: one account, for ever.
CREATE TABLE codehost_identities (
  identity_id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  held_at timestamptz NOT NULL
);

INSERT INTO actor_tables (name) VALUES ('ai_credits'), ('codehost_accounts'), ('codehost_identities');
