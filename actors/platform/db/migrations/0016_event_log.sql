-- The event log for millions of events (docs/decisions/0025-partitioned-event-log.md): a partition a month, an index for each way of
-- asking, counts by day, and deletions that take effect when they are recorded.

ALTER TABLE events RENAME TO events_before;
ALTER TABLE events_before RENAME CONSTRAINT events_pkey TO events_before_pkey;
DROP INDEX events_user, events_resource;

CREATE TABLE events (
  id text NOT NULL,
  event_type text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  user_id text,
  project_id text,
  container_id text,
  realm_id text,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX events_user ON events (user_id, created_at DESC, id DESC);
CREATE INDEX events_type ON events (user_id, event_type, created_at DESC, id DESC);
CREATE INDEX events_resource ON events (user_id, resource_id, created_at DESC, id DESC);
-- Most events hang on no project.
CREATE INDEX events_project ON events (user_id, project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL;
CREATE INDEX events_container ON events (user_id, container_id, created_at DESC, id DESC) WHERE container_id IS NOT NULL;
-- For upkeep, which goes by time alone.
CREATE INDEX events_time ON events USING brin (created_at);

-- What no month has been made for.
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- Makes the partition of the month in which `moment` is (UTC), with what had gone to the default partition.
CREATE FUNCTION make_event_partition(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := date_trunc('month', moment, 'UTC');
  next timestamptz := (date_trunc('month', moment AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  name text := 'events_' || to_char(first AT TIME ZONE 'UTC', 'YYYY_MM');
BEGIN
  IF to_regclass(name) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE events)', name);
  LOCK TABLE events_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format(
    'WITH moved AS (DELETE FROM events_default WHERE created_at >= %2$L AND created_at < %3$L RETURNING *)
     INSERT INTO %1$I SELECT * FROM moved', name, first, next);
  EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
END $$;

-- Of the last ten years: what is dated before stays in the default partition.
SELECT make_event_partition(month AT TIME ZONE 'UTC') FROM (
  SELECT generate_series(
    date_trunc('month', greatest(coalesce(min(created_at), now()), now() - interval '10 years') AT TIME ZONE 'UTC'),
    now() AT TIME ZONE 'UTC' + interval '3 months', interval '1 month') AS month
  FROM events_before
) months;
INSERT INTO events SELECT * FROM events_before;
DROP TABLE events_before;

-- Events by user, day (UTC), project and type, of days that are over: totals and statistics read these and the events of
-- what is left.
CREATE TABLE event_counts (
  user_id text NOT NULL,
  day timestamptz NOT NULL,
  project_id text NOT NULL,
  event_type text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (user_id, day, project_id, event_type)
);
CREATE INDEX event_counts_day ON event_counts USING brin (day);
-- Days before it are counted.
CREATE TABLE event_counts_until (
  day timestamptz NOT NULL
);
INSERT INTO event_counts_until SELECT coalesce(date_trunc('day', min(created_at), 'UTC'), date_trunc('day', now(), 'UTC')) FROM events;

-- A user's log, and 'all', the log of everybody: what came before `kept_since` is deleted.
CREATE TABLE event_logs (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  kept_since timestamptz,
  updated_at timestamptz NOT NULL
);
-- Deletions whose rows are still to go. Reads leave out what these meet.
CREATE TABLE event_erasures (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES event_logs (id),
  event_id text,
  event_type text,
  resource_type text,
  resource_id text,
  realm_id text,
  before timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX event_erasures_user ON event_erasures (user_id, created_at);
INSERT INTO actor_tables (name) VALUES ('event_logs'), ('event_erasures');

-- Upkeep of hosts that run it at the same time would count twice: one at a time.
CREATE FUNCTION lock_event_upkeep() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(1702257000)
$$;

-- Counts the oldest day that is not counted and was over at `until`; false when there is none. Steps are statements of
-- their own, so that each sees what others did before the lock was had.
CREATE FUNCTION count_event_day(until timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  from_day timestamptz;
  to_day timestamptz;
BEGIN
  PERFORM lock_event_upkeep();
  SELECT day INTO from_day FROM event_counts_until;
  to_day := from_day + interval '24 hours';
  IF to_day > until THEN
    RETURN false;
  END IF;
  INSERT INTO event_counts (user_id, day, project_id, event_type, n)
    SELECT user_id, from_day, coalesce(project_id, ''), event_type, count(*) FROM events
    WHERE created_at >= from_day AND created_at < to_day AND user_id IS NOT NULL
    GROUP BY user_id, coalesce(project_id, ''), event_type;
  UPDATE event_counts_until SET day = to_day;
  RETURN true;
END $$;

-- Deletes rows that an erasure meets, `most` at a time, and takes them out of the counts. Answers how many went. `types` are those
-- that its event type and resource type leave, or null: only what is given is asked for, so that an index is met.
CREATE FUNCTION sweep_erased_events(erasure text, types text[], most int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  x event_erasures;
  went bigint;
BEGIN
  PERFORM lock_event_upkeep();
  SELECT * INTO x FROM event_erasures WHERE id = erasure;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  EXECUTE format($sweep$
    WITH doomed AS (
      SELECT id, created_at FROM events WHERE user_id = %L AND created_at < %L %s %s %s %s LIMIT %s
    ), gone AS (
      DELETE FROM events e USING doomed d WHERE e.id = d.id AND e.created_at = d.created_at
      RETURNING e.user_id, date_trunc('day', e.created_at, 'UTC') AS day, coalesce(e.project_id, '') AS project_id, e.event_type
    ), less AS (
      SELECT user_id, day, project_id, event_type, count(*) AS n FROM gone GROUP BY 1, 2, 3, 4
    ), counted AS (
      UPDATE event_counts c SET n = c.n - less.n FROM less
      WHERE (c.user_id, c.day, c.project_id, c.event_type) = (less.user_id, less.day, less.project_id, less.event_type)
    )
    SELECT count(*) FROM gone$sweep$,
    x.user_id, x.before,
    CASE WHEN x.event_id IS NULL THEN '' ELSE format('AND id = %L', x.event_id) END,
    CASE WHEN types IS NULL THEN '' ELSE format('AND event_type = ANY (%L::text[])', types) END,
    CASE WHEN x.resource_id IS NULL THEN '' ELSE format('AND resource_id = %L', x.resource_id) END,
    CASE WHEN x.realm_id IS NULL THEN '' ELSE format('AND project_id = %L', x.realm_id) END,
    most) INTO went;
  RETURN went;
END $$;

-- Deletes what came before `since`: whole partitions at once, of the last one `most` rows at a time. Answers whether there
-- may be more.
CREATE FUNCTION sweep_old_events(since timestamptz, most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  month record;
  went bigint;
BEGIN
  PERFORM lock_event_upkeep();
  FOR month IN
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\d{4}_\d{2}$'
      AND to_date(substr(c.relname, 8), 'YYYY_MM') + interval '1 month' <= since AT TIME ZONE 'UTC'
  LOOP
    -- Commits wait for it, so it does not wait for readers for long.
    PERFORM set_config('lock_timeout', '1s', true);
    EXECUTE format('DROP TABLE %I', month.name);
  END LOOP;
  DELETE FROM event_counts WHERE day < date_trunc('day', since, 'UTC');
  WITH doomed AS (
    SELECT id, created_at FROM events WHERE created_at < since LIMIT most
  ), gone AS (
    DELETE FROM events e USING doomed d WHERE e.id = d.id AND e.created_at = d.created_at
    RETURNING e.user_id, date_trunc('day', e.created_at, 'UTC') AS day, coalesce(e.project_id, '') AS project_id, e.event_type
  ), less AS (
    SELECT user_id, day, project_id, event_type, count(*) AS n FROM gone GROUP BY 1, 2, 3, 4
  ), counted AS (
    UPDATE event_counts c SET n = c.n - less.n FROM less
    WHERE (c.user_id, c.day, c.project_id, c.event_type) = (less.user_id, less.day, less.project_id, less.event_type)
  )
  SELECT count(*) INTO went FROM gone;
  RETURN went >= most;
END $$;
