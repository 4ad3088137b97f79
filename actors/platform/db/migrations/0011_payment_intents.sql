-- Money that comes in through processors. What is paid and does not match its intent waits for an operator.

CREATE TABLE payment_intents (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  -- How the provider ran when the hosted session was asked for: stripe, btcpay, sandbox.
  adapter text,
  status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'expired')),
  -- A deposit of this intent is on its way to the wallet.
  settling boolean NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  session_id text,
  redirect_url text,
  -- Who is asking the processor for the session, and until when nobody else does.
  opening_token text,
  opening_until timestamptz,
  -- What went to the wallet for the intent's own session, on its way or there.
  deposited_cents bigint NOT NULL CHECK (deposited_cents >= 0),
  deposits int NOT NULL,
  credited_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((opening_token IS NULL) = (opening_until IS NULL)),
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
  -- Null where it is not known in USD; `reported` is what the processor said.
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

INSERT INTO actor_tables (name) VALUES ('payment_intents'), ('payment_reviews');
