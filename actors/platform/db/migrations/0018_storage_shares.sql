-- Storage shares: files of a project on a server that outlive its containers (docs/storage.md). And users who may enter one container alone.

CREATE TABLE storage_shares (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  project_id text NOT NULL,
  server_id text NOT NULL CONSTRAINT storage_shares_server REFERENCES servers (id),
  -- Of the host.
  server_name text NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- Points in time that the host keeps, and the one that it is to bring back.
  snapshots jsonb NOT NULL DEFAULT '[]',
  restore jsonb,
  desired_state text NOT NULL CHECK (desired_state IN ('present', 'deleted')),
  desired_revision bigint NOT NULL,
  -- What the host reports.
  state text NOT NULL CHECK (state IN ('creating', 'ready', 'error', 'deleted')),
  applied_size_bytes bigint,
  used_bytes bigint,
  enforced boolean,
  error text,
  mounted_by jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A share that is being deleted keeps no project, and no container may name it.
  live_project_id text GENERATED ALWAYS AS (CASE WHEN desired_state <> 'deleted' THEN project_id END) STORED
    CONSTRAINT storage_shares_project REFERENCES projects (id),
  live_id text GENERATED ALWAYS AS (CASE WHEN desired_state <> 'deleted' THEN id END) STORED UNIQUE
);
CREATE INDEX storage_shares_user ON storage_shares (user_id, created_at, id);
CREATE INDEX storage_shares_project_id ON storage_shares (project_id);
CREATE INDEX storage_shares_live_project ON storage_shares (live_project_id);
CREATE INDEX storage_shares_server_id ON storage_shares (server_id);
CREATE INDEX storage_shares_server_name ON storage_shares (server_name);
CREATE UNIQUE INDEX storage_shares_project_name ON storage_shares (project_id, name) WHERE desired_state <> 'deleted';

INSERT INTO actor_tables (name) VALUES ('storage_shares');

-- The volumes of a container: `share_id`, `path` and `read_only` of each.
ALTER TABLE containers ADD COLUMN volumes jsonb NOT NULL DEFAULT '[]';

-- Which containers name which shares, kept by a trigger, so that a share is not deleted while a container is given it.
CREATE TABLE container_volumes (
  container_id text NOT NULL REFERENCES containers (id) ON DELETE CASCADE,
  share_id text NOT NULL CONSTRAINT container_volumes_share REFERENCES storage_shares (live_id),
  PRIMARY KEY (container_id, share_id)
);
CREATE INDEX container_volumes_share_id ON container_volumes (share_id);

CREATE FUNCTION keep_container_volumes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM container_volumes WHERE container_id = NEW.id;
  INSERT INTO container_volumes (container_id, share_id)
    SELECT DISTINCT NEW.id, volume ->> 'share_id' FROM jsonb_array_elements(NEW.volumes) volume;
  RETURN NULL;
END $$;
CREATE TRIGGER volumes_of_new AFTER INSERT ON containers
  FOR EACH ROW WHEN (NEW.volumes <> '[]') EXECUTE FUNCTION keep_container_volumes();
CREATE TRIGGER volumes_of_changed AFTER UPDATE ON containers
  FOR EACH ROW WHEN (OLD.volumes <> NEW.volumes) EXECUTE FUNCTION keep_container_volumes();

-- All shares of a server fit on its disks, where the operator has said what these are. The lock makes parallel commits count one after
-- another.
CREATE FUNCTION enforce_storage_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  capacity_ CONSTANT bigint := (SELECT total_storage_gb * 1000000000 FROM servers WHERE id = NEW.server_id);
  used_ numeric;
BEGIN
  IF capacity_ > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('storage:' || NEW.server_id, 0));
    SELECT sum(size_bytes) INTO used_ FROM storage_shares WHERE server_id = NEW.server_id AND desired_state <> 'deleted';
    IF used_ > capacity_ THEN
      RAISE EXCEPTION 'the storage of the server is exceeded'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'storage_share_capacity',
          DETAIL = json_build_object('capacity_bytes', capacity_, 'free_bytes', capacity_ - (used_ - NEW.size_bytes));
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER capacity_of_new AFTER INSERT ON storage_shares
  FOR EACH ROW EXECUTE FUNCTION enforce_storage_capacity();
CREATE TRIGGER capacity_of_grown AFTER UPDATE ON storage_shares
  FOR EACH ROW WHEN (NEW.size_bytes > OLD.size_bytes) EXECUTE FUNCTION enforce_storage_capacity();

-- The quotas. The view is written again from its own definition, so that it keeps whatever other migrations count.
DO $$
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW quota_usage (quota, scope_id, used) AS ' || rtrim(pg_get_viewdef('quota_usage'::regclass), E'; \n')
    || $sql$ UNION ALL
      SELECT 'storage_shares_per_project', project_id, count(*) FROM storage_shares WHERE desired_state <> 'deleted' GROUP BY project_id
      UNION ALL
      SELECT 'storage_shares_per_server', server_id, count(*) FROM storage_shares GROUP BY server_id $sql$;
END $$;
CREATE TRIGGER quota_per_project AFTER INSERT ON storage_shares REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('storage_shares_per_project', 'project_id');
CREATE TRIGGER quota_per_server AFTER INSERT ON storage_shares REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('storage_shares_per_server', 'server_id');

-- Users who may enter this container without a role on its server: `user_id`, `expires_at` and more of each (docs/pools.md).
ALTER TABLE containers ADD COLUMN permissions jsonb NOT NULL DEFAULT '[]';
CREATE INDEX containers_permissions ON containers USING gin (permissions jsonb_path_ops) WHERE permissions <> '[]';
