-- A lease is good on the timeline on which it was taken. After a failover the database may lack what it had acknowledged last:
-- owners whose memory is of the other history commit nothing until they have taken their partitions anew.

ALTER TABLE leases ADD COLUMN timeline text;

-- The first eight digits of a WAL file's name are its timeline. A standby has none to write to, and says so.
CREATE FUNCTION current_timeline() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
$$;

CREATE OR REPLACE FUNCTION fence(p_owner text, p_partitions int[], p_epochs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held int[];
  now_on text := current_timeline();
BEGIN
  SELECT coalesce(array_agg(s.partition), '{}') INTO held FROM (
    SELECT l.partition
    FROM leases l
    WHERE l.partition = ANY (p_partitions) AND l.owner = p_owner
      AND l.epoch = p_epochs[array_position(p_partitions, l.partition)]
      -- Without one it was taken by a host that does not note it yet.
      AND coalesce(l.timeline, now_on) = now_on
    ORDER BY l.partition
    FOR SHARE
  ) s;
  IF cardinality(held) <> cardinality(p_partitions) THEN
    RAISE EXCEPTION 'fenced' USING ERRCODE = 'BR001', DETAIL = (
      SELECT string_agg(p::text, ',') FROM unnest(p_partitions) p WHERE p <> ALL (held)
    );
  END IF;
END $$;
