-- What a wallet shows: ways to pay, and invoices. Their JSON is only kept and handed on, as it was written.

-- One row a user. That exactly one method is the default is the form of the record and needs no rule.
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

-- The numbers of a year's invoices. Its commits come one after another, so that no number is left out or given twice.
CREATE TABLE invoice_books (
  year text PRIMARY KEY,
  version bigint NOT NULL,
  last_number bigint NOT NULL,
  updated_at timestamptz NOT NULL
);

-- An invoice says what was true when it was issued, whatever becomes of accounts and settings.
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

INSERT INTO actor_tables (name) VALUES ('payment_method_lists'), ('payment_methods'), ('invoice_books'), ('invoices');
