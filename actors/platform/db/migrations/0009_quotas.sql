-- Quotas: how many of a thing a user, project, pool, server or container may have at once.

CREATE INDEX containers_server ON containers (server_id);
CREATE INDEX pool_invitations_inviter ON pool_invitations (invited_by) WHERE status = 'pending';

-- What each quota counts, in one place: the triggers below and the API read it. Always filter by `quota` and `scope_id`.
CREATE VIEW quota_usage (quota, scope_id, used) AS
  SELECT 'projects_per_user', user_id, count(*) FROM projects GROUP BY user_id
  UNION ALL
  SELECT 'pools_per_user', owner_id, count(*) FROM pools WHERE NOT is_default GROUP BY owner_id
  UNION ALL
  SELECT 'containers_per_user', user_id, count(*) FROM containers WHERE desired_state <> 'deleted' GROUP BY user_id
  UNION ALL
  SELECT 'containers_per_project', project_id, count(*) FROM containers WHERE desired_state <> 'deleted' GROUP BY project_id
  UNION ALL
  -- Those that are being deleted too: a server that does not answer must not gather them without end.
  SELECT 'containers_per_server', server_id, count(*) FROM containers GROUP BY server_id
  UNION ALL
  SELECT 'api_tokens_per_user', user_id, count(*) FROM api_tokens
    WHERE ended_at IS NULL AND (expires_at IS NULL OR expires_at > now()) GROUP BY user_id
  UNION ALL
  SELECT 'payment_methods_per_user', user_id, count(*) FROM payment_methods GROUP BY user_id
  UNION ALL
  SELECT 'sessions_per_user', user_id, count(*) FROM sessions WHERE ended_at IS NULL AND expires_at > now() GROUP BY user_id
  UNION ALL
  SELECT 'pending_invitations_per_user', invited_by, count(*) FROM pool_invitations WHERE status = 'pending' GROUP BY invited_by
  UNION ALL
  SELECT 'open_reservations_per_user', user_id, count(*) FROM reservations
    WHERE status IN ('pending', 'confirmed') GROUP BY user_id
  UNION ALL
  SELECT 'open_top_ups_per_user', user_id, count(*) FROM payment_intents
    WHERE status = 'pending' AND expires_at > now() GROUP BY user_id
  UNION ALL
  SELECT 'members_per_pool', pool_id, count(*) FROM (
    SELECT pool_id FROM pool_members UNION ALL SELECT pool_id FROM pool_invitations WHERE status = 'pending') m GROUP BY pool_id
  UNION ALL
  SELECT 'aliases_per_server', server_id, count(*) FROM aliases GROUP BY server_id
  UNION ALL
  SELECT 'aliases_per_container', container_id, count(*) FROM aliases GROUP BY container_id
  UNION ALL
  SELECT 'firewall_rules_per_container', container_id, count(*) FROM firewall_rules GROUP BY container_id;

-- Refuses rows past a quota. Arguments: the quota, and the column with the id of what the quota belongs to. Most of what is counted belongs
-- to actors of their own, so that no actor sees all of it. The lock makes parallel commits count one after another: a commit counts what every
-- commit before it inserted. Removals need no lock, since they only lower the count.
-- Limits come with the connection of the actor host, as `berth.quotas`. Where the setting is missing, or does not name the quota, nothing is
-- added.
CREATE FUNCTION enforce_quota() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER quota_per_user AFTER INSERT ON projects REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('projects_per_user', 'user_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON pools REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('pools_per_user', 'owner_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('containers_per_user', 'user_id');
CREATE TRIGGER quota_per_project AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('containers_per_project', 'project_id');
CREATE TRIGGER quota_per_server AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('containers_per_server', 'server_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON api_tokens REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('api_tokens_per_user', 'user_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON payment_methods REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('payment_methods_per_user', 'user_id');
-- Members come by invitation alone, and their invitation is counted until it is answered.
CREATE TRIGGER quota_per_pool AFTER INSERT ON pool_invitations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('members_per_pool', 'pool_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON pool_invitations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('pending_invitations_per_user', 'invited_by');
CREATE TRIGGER quota_per_user AFTER INSERT ON reservations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('open_reservations_per_user', 'user_id');
CREATE TRIGGER quota_per_user AFTER INSERT ON payment_intents REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('open_top_ups_per_user', 'user_id');
