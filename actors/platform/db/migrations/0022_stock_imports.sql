-- Changes of many servers at once, all or none (docs/decisions/0067-stock-in-bulk.md).

-- The import that has prepared a change of this server and will apply or drop it in a moment; null: none.
ALTER TABLE servers ADD COLUMN prepared jsonb;

CREATE TABLE stock_imports (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('preparing', 'applying', 'applied', 'refused')),
  -- SHA-256 of the file, so that a key is not used for another one.
  digest text NOT NULL,
  server_ids jsonb NOT NULL,
  -- How many servers have not replied yet.
  awaited int NOT NULL CHECK (awaited >= 0),
  -- The servers that refused, and why.
  refusals jsonb NOT NULL,
  operator jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

INSERT INTO actor_tables (name) VALUES ('stock_imports');
