-- The number of partitions grows while the cluster runs (docs/decisions/0124-partitions-grow.md): each of `base` partitions is split in its turn,
-- until there are `target`.
CREATE TABLE partition_counts (base int NOT NULL, target int NOT NULL, CHECK (target % base = 0));
CREATE UNIQUE INDEX partition_counts_one ON partition_counts ((true));
INSERT INTO partition_counts SELECT count(*), count(*) FROM leases;

-- The number of an actor's address, from which its partition follows: FNV-1a, as in actors/runtime/partition.ts.
CREATE FUNCTION address_hash(kind text, actor_id text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  bytes CONSTANT bytea := convert_to(kind || '/' || actor_id, 'UTF8');
  hash bigint := 2166136261;
BEGIN
  FOR i IN 0 .. length(bytes) - 1 LOOP
    hash := ((hash # get_byte(bytes, i)) * 16777619) & 4294967295;
  END LOOP;
  RETURN hash;
END $$;

-- Says how many partitions there shall be. Owners split theirs from then on.
CREATE FUNCTION grow_partitions(wanted int) RETURNS void LANGUAGE plpgsql AS $$
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
  END IF;
  UPDATE partition_counts SET base = now_, target = wanted;
END $$;

-- Splits a partition: its actors are spread over it and the new ones, by their addresses, with their tasks. Its owner has to have delivered all of
-- its effects, since those of one actor must not overtake each other; false if it has not, or owns it no longer. The partition has no owner then.
CREATE FUNCTION split_partition(p_owner text, p_partition int, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  base_ int;
  target_ int;
BEGIN
  -- Commits hold it FOR SHARE: from here on there is none.
  PERFORM FROM leases WHERE partition = p_partition AND owner = p_owner AND epoch = p_epoch FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT base, target INTO base_, target_ FROM partition_counts;
  IF p_partition >= base_ OR base_ = target_ OR EXISTS (SELECT FROM leases WHERE partition = p_partition + base_) THEN RETURN false; END IF;
  IF EXISTS (
    SELECT FROM outbox o JOIN outbox_progress p USING (partition) WHERE o.partition = p_partition AND o.seq > p.seq
  ) THEN RETURN false; END IF;
  INSERT INTO leases (partition) SELECT p_partition + base_ * k FROM generate_series(1, target_ / base_ - 1) k;
  INSERT INTO outbox_progress SELECT p_partition + base_ * k, 0 FROM generate_series(1, target_ / base_ - 1) k;
  UPDATE tasks SET partition = address_hash(kind, actor_id) % target_
    WHERE partition = p_partition AND address_hash(kind, actor_id) % target_ <> p_partition;
  -- Another epoch: whoever still has a message for an actor that has left it is told to look again.
  UPDATE leases SET owner = NULL, epoch = epoch + 1, expires_at = now() WHERE partition = p_partition;
  RETURN true;
END $$;
