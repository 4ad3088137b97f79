-- When a key of the sandbox was made: what its user has used since then grows with the time. Keys from before begin now.
ALTER TABLE sandbox_ai_keys ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
