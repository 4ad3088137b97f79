-- The quota of own domains. The view is written again from its own definition, so that it keeps whatever other migrations count.
CREATE INDEX domains_of_users ON domains (user_id);
DO $$
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW quota_usage (quota, scope_id, used) AS ' || rtrim(pg_get_viewdef('quota_usage'::regclass), E'; \n')
    || $sql$ UNION ALL
      SELECT 'domains_per_user', user_id, count(*) FROM domains GROUP BY user_id $sql$;
END $$;
-- An actor host of an earlier version states no limit of this quota. It adds domains as before until it is replaced.
CREATE TRIGGER quota_per_user AFTER INSERT ON domains REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (nullif(current_setting('berth.quotas', true), '')::jsonb ? 'domains_per_user')
  EXECUTE FUNCTION enforce_quota('domains_per_user', 'user_id');
