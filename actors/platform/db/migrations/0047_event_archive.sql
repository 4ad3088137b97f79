-- The archive of events (docs/decisions/0120-events-are-archived-before-they-are-deleted.md).

CREATE TABLE event_archive (
  -- Until then no event is deleted for its age that is not archived. Actor hosts with an archive move it ahead.
  required_until timestamptz,
  -- Events from before this midnight (UTC) are in the archive.
  archived_before timestamptz
);
INSERT INTO event_archive VALUES (NULL, NULL);

-- The part of `since` that may be deleted.
CREATE FUNCTION deletable_events_before(since timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN required_until > now() THEN least(since, coalesce(archived_before, '-infinity')) ELSE since END
  FROM event_archive
$$;

-- The limit is here, so that it also holds for a host of an earlier version, and for one that has no archive.
ALTER FUNCTION delete_expired_events(timestamptz, int) RENAME TO delete_events_before;
CREATE FUNCTION delete_expired_events(since timestamptz, max_rows int) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT delete_events_before(deletable_events_before(since), max_rows)
$$;
