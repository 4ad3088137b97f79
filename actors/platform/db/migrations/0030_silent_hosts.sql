-- Since when a host's agent misses the control plane's pings; null: it answers.

ALTER TABLE host_machines ADD COLUMN silent_since timestamptz;
