-- Whom the invoices of an account are made out to (docs/accounts.md); null: its user's name and address of mail say it. An invoice keeps its copy in `buyer`.
ALTER TABLE accounts ADD COLUMN billing_details jsonb;
