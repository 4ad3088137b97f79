-- Health checks and stop signals of containers (docs/containers.md).

ALTER TABLE containers
  -- Null: the image's.
  ADD COLUMN stop_signal text,
  ADD COLUMN health_check jsonb NOT NULL DEFAULT
    '{"enabled": true, "command": [], "interval_seconds": null, "timeout_seconds": null, "start_period_seconds": null, "retries": null, "restart": false}',
  -- What its host reports: { state, message, since }.
  ADD COLUMN health jsonb;
