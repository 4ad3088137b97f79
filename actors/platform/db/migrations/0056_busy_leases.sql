-- Renews leases that commits hold locked at the moment: all of these partitions, or none when one stays locked for longer than `p_wait_ms`. The
-- renewal of other leases must not depend on them (actors/runtime/store/cluster/queries.ts).
CREATE FUNCTION renew_busy_leases(p_owner text, p_partitions int[], p_ttl_ms int, p_wait_ms int)
RETURNS TABLE (renewed_partition int, renewed_epoch bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('lock_timeout', p_wait_ms || 'ms', true);
  RETURN QUERY
    WITH held AS (
      SELECT partition FROM leases WHERE partition = ANY (p_partitions) AND owner = p_owner ORDER BY partition FOR NO KEY UPDATE
    )
    UPDATE leases l SET expires_at = clock_timestamp() + p_ttl_ms * interval '1 ms'
    FROM held WHERE held.partition = l.partition
    RETURNING l.partition, l.epoch;
EXCEPTION WHEN lock_not_available THEN
  RETURN;
END $$;
