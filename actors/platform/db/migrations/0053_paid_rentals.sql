-- What was paid for the time of a rental, so that the rest is returned when an operator ends it (docs/decisions/0132-a-removed-host-ends-its-rentals.md).
-- The first payment is the server's, which charges it; null: none, or from before this migration.
ALTER TABLE servers ADD COLUMN rental_payment jsonb;
ALTER TABLE rentals ADD COLUMN extension_payments jsonb NOT NULL DEFAULT '[]';
