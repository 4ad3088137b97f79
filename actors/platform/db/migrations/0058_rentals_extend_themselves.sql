-- How a rental extends itself (docs/decisions/0138-rentals-extend-themselves.md); null: it does not.
ALTER TABLE rentals ADD COLUMN auto_extension jsonb;
CREATE INDEX rentals_auto_extension ON rentals (user_id) WHERE auto_extension IS NOT NULL AND status = 'active';
