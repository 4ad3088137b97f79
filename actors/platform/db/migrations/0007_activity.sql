-- Activity: the event log and inboxes.

-- The event log is made for millions of events (docs/decisions/0025-partitioned-event-log.md): a partition a month, an index for each
-- query, counts by day, and deletions that take effect when they are recorded.
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
-- Most events belong to no project.
CREATE INDEX events_project ON events (user_id, project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL;
CREATE INDEX events_container ON events (user_id, container_id, created_at DESC, id DESC) WHERE container_id IS NOT NULL;
-- For maintenance, which goes by time alone.
CREATE INDEX events_time ON events USING brin (created_at);

-- Events of months that have no partition.
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- Makes the partition of the month in which `moment` is (UTC), and moves what the default partition has of it.
-- Only the owner of `events` may create and drop its months: these functions run with the owner's rights, so that actor hosts
-- need none. `migrate` takes functions with SECURITY DEFINER away from PUBLIC.
CREATE FUNCTION make_event_partition(moment timestamptz) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

-- The present month and the next three; maintenance makes later ones.
SELECT make_event_partition(month AT TIME ZONE 'UTC') FROM (
  SELECT generate_series(
    date_trunc('month', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '3 months', interval '1 month') AS month
) months;

-- Events by user, day (UTC), project and type, of past days: totals and statistics read these counts, and the
-- events of days that are not counted.
CREATE TABLE event_counts (
  user_id text NOT NULL,
  day timestamptz NOT NULL,
  project_id text NOT NULL,
  event_type text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (user_id, day, project_id, event_type)
);
CREATE INDEX event_counts_day ON event_counts USING brin (day);
-- Days before this one are counted.
CREATE TABLE event_counts_until (
  day timestamptz NOT NULL
);
INSERT INTO event_counts_until VALUES (date_trunc('day', now(), 'UTC'));

-- A user's log, and 'all', the log of everybody: events before `kept_since` are deleted.
CREATE TABLE event_logs (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  kept_since timestamptz,
  updated_at timestamptz NOT NULL
);
-- Deletions whose rows are not deleted yet. Reads leave out the events that these match.
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
-- Two hosts that maintain the log at the same time would count twice: one at a time.
CREATE FUNCTION lock_event_maintenance() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(1702257000)
$$;

-- Counts the oldest day that is not counted and ended by `until`; false when there is none. Each step is a statement of its
-- own, so that it sees what others did before this session got the lock.
CREATE FUNCTION count_event_day(until timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  from_day timestamptz;
  to_day timestamptz;
BEGIN
  PERFORM lock_event_maintenance();
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

-- Deletes events that an erasure matches, at most `max_rows`, and takes them out of the counts. Returns how many it deleted.
-- `types` are the event types that the erasure's filters leave, or null. Only the filters that are set enter the query, so that it
-- uses an index.
CREATE FUNCTION delete_erased_events(erasure text, types text[], max_rows int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  x event_erasures;
  deleted bigint;
BEGIN
  PERFORM lock_event_maintenance();
  SELECT * INTO x FROM event_erasures WHERE id = erasure;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  EXECUTE format($delete$
    WITH batch AS (
      SELECT id, created_at FROM events WHERE user_id = %L AND created_at < %L %s %s %s %s LIMIT %s
    ), deleted_rows AS (
      DELETE FROM events e USING batch d WHERE e.id = d.id AND e.created_at = d.created_at
      RETURNING e.user_id, date_trunc('day', e.created_at, 'UTC') AS day, coalesce(e.project_id, '') AS project_id, e.event_type
    ), removed AS (
      SELECT user_id, day, project_id, event_type, count(*) AS n FROM deleted_rows GROUP BY 1, 2, 3, 4
    ), counted AS (
      UPDATE event_counts c SET n = c.n - removed.n FROM removed
      WHERE (c.user_id, c.day, c.project_id, c.event_type) = (removed.user_id, removed.day, removed.project_id, removed.event_type)
    )
    SELECT count(*) FROM deleted_rows$delete$,
    x.user_id, x.before,
    CASE WHEN x.event_id IS NULL THEN '' ELSE format('AND id = %L', x.event_id) END,
    CASE WHEN types IS NULL THEN '' ELSE format('AND event_type = ANY (%L::text[])', types) END,
    CASE WHEN x.resource_id IS NULL THEN '' ELSE format('AND resource_id = %L', x.resource_id) END,
    CASE WHEN x.realm_id IS NULL THEN '' ELSE format('AND project_id = %L', x.realm_id) END,
    max_rows) INTO deleted;
  RETURN deleted;
END $$;

-- Deletes events before `since`: whole partitions at once, and at most `max_rows` rows of the last one. Returns whether there may
-- be more.
CREATE FUNCTION delete_expired_events(since timestamptz, max_rows int) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  month record;
  deleted bigint;
BEGIN
  PERFORM lock_event_maintenance();
  FOR month IN
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\d{4}_\d{2}$'
      AND to_date(substr(c.relname, 8), 'YYYY_MM') + interval '1 month' <= since AT TIME ZONE 'UTC'
  LOOP
    -- Commits wait behind this lock, so it must not wait for readers for long.
    PERFORM set_config('lock_timeout', '1s', true);
    EXECUTE format('DROP TABLE %I', month.name);
  END LOOP;
  DELETE FROM event_counts WHERE day < date_trunc('day', since, 'UTC');
  WITH batch AS (
    SELECT id, created_at FROM events WHERE created_at < since LIMIT max_rows
  ), deleted_rows AS (
    DELETE FROM events e USING batch d WHERE e.id = d.id AND e.created_at = d.created_at
    RETURNING e.user_id, date_trunc('day', e.created_at, 'UTC') AS day, coalesce(e.project_id, '') AS project_id, e.event_type
  ), removed AS (
    SELECT user_id, day, project_id, event_type, count(*) AS n FROM deleted_rows GROUP BY 1, 2, 3, 4
  ), counted AS (
    UPDATE event_counts c SET n = c.n - removed.n FROM removed
    WHERE (c.user_id, c.day, c.project_id, c.event_type) = (removed.user_id, removed.day, removed.project_id, removed.event_type)
  )
  SELECT count(*) INTO deleted FROM deleted_rows;
  RETURN deleted >= max_rows;
END $$;

-- Notices: to one user, or to everybody (no user). Reads are recorded apart, so that a notice to everybody is one row.
CREATE TABLE inboxes (
  -- A user, or 'all', whose notices are everybody's.
  id text PRIMARY KEY,
  version bigint NOT NULL,
  -- Notices up to these times are read: the user's own, and those to everybody.
  own_read_to timestamptz,
  global_read_to timestamptz,
  -- The time of the last notice in this inbox: each notice has a time of its own.
  last_at timestamptz,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE notifications (
  -- A name that is not the runtime's own for keys: an idempotency key that led to this id in another inbox is refused.
  id text CONSTRAINT notifications_id PRIMARY KEY,
  inbox_id text NOT NULL REFERENCES inboxes (id),
  title text NOT NULL,
  body text NOT NULL,
  level text NOT NULL,
  -- Shown also to visitors without an account.
  public boolean NOT NULL,
  event_id text,
  event_type text,
  resource_type text,
  resource_id text,
  realm_id text,
  created_at timestamptz NOT NULL
);
CREATE INDEX notifications_inbox ON notifications (inbox_id, created_at DESC, id DESC);
CREATE INDEX notifications_public ON notifications (created_at DESC, id DESC) WHERE public;

-- Notices that were read one by one.
CREATE TABLE notification_reads (
  inbox_id text NOT NULL REFERENCES inboxes (id),
  notification_id text NOT NULL REFERENCES notifications (id),
  created_at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (inbox_id, notification_id)
);

INSERT INTO actor_tables (name) VALUES
  ('events'), ('event_logs'), ('event_erasures'), ('inboxes'), ('notifications'), ('notification_reads');
