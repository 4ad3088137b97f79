-- What waits in sagas, for metrics: a few rows among the timers of all rentals.
CREATE INDEX tasks_sends ON tasks (kind, op, aborting, due_at) WHERE target_kind IS NOT NULL;

-- The way from addresses to partitions that the cluster uses (actors/runtime/partition.ts). A process that does not know it must not send.
ALTER TABLE partition_counts ADD COLUMN scheme int NOT NULL DEFAULT 1;

-- As before, and refuses also while a gateway is connected that does not say its version: it may know of 64 partitions alone
-- (docs/decisions/0136-processes-say-their-version.md).
CREATE OR REPLACE FUNCTION grow_partitions(wanted int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_ CONSTANT int := (SELECT count(*) FROM leases);
  target_ int;
BEGIN
  SELECT target INTO target_ FROM partition_counts FOR UPDATE;
  IF now_ <> target_ THEN
    RAISE EXCEPTION 'the number of partitions grows to % already: % are there', target_, now_ USING ERRCODE = 'BR003';
  ELSIF wanted <= now_ OR wanted % now_ <> 0 OR wanted > 1024 THEN
    RAISE EXCEPTION 'give a multiple of % up to 1024, such as %', now_, least(1024, now_ * 2) USING ERRCODE = 'BR003';
  ELSIF EXISTS (SELECT FROM hosts WHERE expires_at >= now() AND NOT coalesce((status ->> 'splits_partitions')::boolean, false)) THEN
    RAISE EXCEPTION 'an actor host of an earlier version runs: replace all actor hosts and gateways first' USING ERRCODE = 'BR003';
  ELSIF EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'berth-gateway'
  ) THEN
    RAISE EXCEPTION 'a gateway of an earlier version runs: replace all gateways first' USING ERRCODE = 'BR003';
  END IF;
  UPDATE partition_counts SET base = now_, target = wanted;
END $$;
