-- Money. General balances are cents, AI credit is micro-USD; the ledger counts everything in micro-USD.

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

-- The ledger. A movement takes an amount from one account and gives it to another: it is a pair of postings, and cannot
-- help summing to zero.
CREATE TABLE movements (
  id text PRIMARY KEY,
  transaction_id text NOT NULL,
  user_id text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros > 0),
  created_at timestamptz NOT NULL,
  CHECK (from_account <> to_account)
);
CREATE INDEX movements_user ON movements (user_id, created_at DESC, id DESC);
CREATE INDEX movements_transaction ON movements (transaction_id);

CREATE VIEW postings AS
  SELECT id AS movement_id, transaction_id, from_account AS account, -amount_micros AS amount_micros, created_at FROM movements
  UNION ALL
  SELECT id, transaction_id, to_account, amount_micros, created_at FROM movements;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER movements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

INSERT INTO actor_tables (name) VALUES ('wallets'), ('transactions'), ('movements');
