-- Storage shares may take snapshots at regular times: how often and how many stay, and when the next one is due.
ALTER TABLE storage_shares ADD COLUMN snapshot_schedule jsonb;
ALTER TABLE storage_shares ADD COLUMN next_snapshot_at timestamptz;
CREATE INDEX storage_shares_next_snapshot ON storage_shares (next_snapshot_at) WHERE next_snapshot_at IS NOT NULL;
