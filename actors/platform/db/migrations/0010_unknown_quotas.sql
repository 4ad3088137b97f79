-- A quota whose limit nobody stated is a limit of zero. Before, a connection without `berth.quotas` had no quotas at all.

-- Refuses rows past a quota. Arguments: the quota, and the column with the id of what the quota belongs to. Most of what is counted belongs
-- to actors of their own, so that no actor sees all of it. The lock makes parallel commits count one after another: a commit counts what every
-- commit before it inserted. Removals need no lock, since they only lower the count.
-- Limits come with the connection of the actor host, as `berth.quotas`. Where the setting is missing, or does not name the quota, nothing is
-- added.
CREATE OR REPLACE FUNCTION enforce_quota() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  quota_ CONSTANT text := TG_ARGV[0];
  stated_ CONSTANT bigint := (nullif(current_setting('berth.quotas', true), '')::jsonb ->> quota_)::bigint;
  limit_ CONSTANT bigint := coalesce(stated_, 0);
  scope_ record;
  used_ bigint;
BEGIN
  -- In the order of their ids, so that two commits never wait for each other's locks.
  FOR scope_ IN EXECUTE format('SELECT %I AS id, count(*) AS added FROM added GROUP BY 1 ORDER BY 1', TG_ARGV[1]) LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended(quota_ || ':' || scope_.id, 0));
    SELECT q.used INTO used_ FROM quota_usage q WHERE q.quota = quota_ AND q.scope_id = scope_.id;
    IF used_ > limit_ THEN
      RAISE EXCEPTION '%', CASE WHEN stated_ IS NULL THEN format('this connection states no limit of the quota %s: berth.quotas', quota_)
          ELSE format('quota %s is exceeded', quota_) END
        USING ERRCODE = 'check_violation', CONSTRAINT = 'quota_' || quota_,
          DETAIL = json_build_object('limit', limit_, 'used', used_ - scope_.added);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
