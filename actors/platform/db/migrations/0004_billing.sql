-- Billing: wallets and the ledger, AI credit, payment methods, invoices, and money that comes in through processors.
-- General balances are cents, AI credit is micro-USD; the ledger counts everything in micro-USD.

CREATE TABLE wallets (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  general_cents bigint NOT NULL CHECK (general_cents >= 0),
  ai_limit_micros bigint NOT NULL CHECK (ai_limit_micros >= 0),
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE transactions (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  transaction_type text NOT NULL,
  status text NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX transactions_user ON transactions (user_id, created_at DESC, id DESC);

-- The ledger. A movement takes an amount from one account and gives it to another: it is a pair of postings that sum to zero.
CREATE TABLE movements (
  id text NOT NULL,
  transaction_id text NOT NULL,
  user_id text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros > 0),
  created_at timestamptz NOT NULL,
  -- A movement is found by its transaction, and a user's movements by the user's transactions: one index serves both.
  PRIMARY KEY (transaction_id, id),
  CHECK (from_account <> to_account)
);

CREATE VIEW postings AS
  SELECT id AS movement_id, transaction_id, from_account AS account, -amount_micros AS amount_micros, created_at FROM movements
  UNION ALL
  SELECT id, transaction_id, to_account, amount_micros, created_at FROM movements;

-- The ledger is append-only, and so are transactions, from which invoices are made.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER movements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A user's key at the AI-credit provider. The wallet says how much credit the key should carry; this row says which limit the
-- provider received last.
CREATE TABLE ai_credits (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  provider text NOT NULL,
  key_id text,
  synced_micros bigint NOT NULL CHECK (synced_micros >= 0),
  -- The limit that the key was created with: it tells which transfer created the key.
  created_with_micros bigint,
  -- An attempt to create the key is recorded before it begins, so that one with an unknown outcome is looked up.
  attempt int NOT NULL,
  attempt_at timestamptz,
  uncertain boolean NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

-- The keys of the provider `sandbox`, which stands outside of the actors, as any provider does.
CREATE TABLE sandbox_ai_keys (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  limit_micros bigint NOT NULL CHECK (limit_micros >= 0),
  usage_micros bigint NOT NULL DEFAULT 0 CHECK (usage_micros >= 0),
  -- What its user has used since then grows with the time.
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Payment methods. One row a user: that exactly one method is the default follows from the form of the row.
CREATE TABLE payment_method_lists (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  default_id text,
  updated_at timestamptz NOT NULL
);

CREATE TABLE payment_methods (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'inactive')),
  details json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX payment_methods_user ON payment_methods (user_id, created_at, id);

-- The numbers of a year's invoices (`INV-2026`) and of its credit notes (`CN-2026`). One actor gives those of a series one after another, so
-- that none is skipped or given twice.
CREATE TABLE invoice_books (
  series text PRIMARY KEY,
  version bigint NOT NULL,
  last_number bigint NOT NULL,
  updated_at timestamptz NOT NULL
);

-- An invoice records what was true when it was issued, whatever happens to accounts and settings later.
CREATE TABLE invoices (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  transaction_id text NOT NULL CONSTRAINT invoices_transaction UNIQUE REFERENCES transactions (id),
  invoice_number text NOT NULL CONSTRAINT invoices_number UNIQUE,
  status text NOT NULL CHECK (status IN ('paid')),
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  seller json NOT NULL,
  buyer json NOT NULL,
  billing_details json NOT NULL,
  items json NOT NULL,
  issue_date timestamptz NOT NULL,
  due_date timestamptz NOT NULL,
  paid_date timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX invoices_user ON invoices (user_id, created_at DESC, id DESC);

-- Payments through processors. A payment that does not match its intent waits for an operator's review.
CREATE TABLE payment_intents (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  -- The adapter that created the checkout session: stripe, btcpay, sandbox.
  adapter text,
  status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'expired')),
  -- A deposit of this intent is in flight to the wallet.
  settling boolean NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  session_id text,
  redirect_url text,
  -- The request that is creating the checkout session, and until when no other request may.
  claim_token text,
  claim_until timestamptz,
  -- What went to the wallet for the intent's own session, in flight or arrived.
  deposited_cents bigint NOT NULL CHECK (deposited_cents >= 0),
  deposits int NOT NULL,
  credited_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((claim_token IS NULL) = (claim_until IS NULL)),
  CHECK (status <> 'completed' OR credited_at IS NOT NULL)
);
CREATE INDEX payment_intents_user ON payment_intents (user_id, provider, created_at DESC, id DESC);
CREATE INDEX payment_intents_session ON payment_intents (session_id);

CREATE TABLE payment_reviews (
  id text PRIMARY KEY,
  intent_id text NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL,
  expected_cents bigint NOT NULL,
  -- Null where the amount in USD is unknown; `reported` is what the processor said.
  paid_cents bigint,
  currency text NOT NULL,
  reported text NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'crediting', 'credited', 'dismissed')),
  credited_cents bigint NOT NULL CHECK (credited_cents >= 0),
  note text,
  resolved_by text,
  resolved_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (intent_id, session_id)
);
CREATE INDEX payment_reviews_newest ON payment_reviews (created_at DESC, id DESC);

INSERT INTO actor_tables (name) VALUES
  ('wallets'), ('transactions'), ('movements'), ('ai_credits'), ('payment_method_lists'), ('payment_methods'), ('invoice_books'),
  ('invoices'), ('payment_intents'), ('payment_reviews');
