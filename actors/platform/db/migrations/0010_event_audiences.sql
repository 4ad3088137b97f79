-- Events that more people may read than the user in whose log they are (docs/decisions/0046-shared-events.md): one row for each, in a
-- table of its own, so that an event of one user alone costs nothing more.
CREATE TABLE event_audiences (
  -- server:<id>, pool:<id>, pool-admins:<id> or everybody.
  audience text NOT NULL,
  event_id text NOT NULL,
  -- `created_at` of the event, by which its partition is found.
  event_at timestamptz NOT NULL,
  PRIMARY KEY (event_id, event_at)
);
CREATE INDEX event_audiences_newest ON event_audiences (audience, event_at DESC, event_id DESC);
CREATE INDEX event_audiences_time ON event_audiences USING brin (event_at);

-- Rows whose event is deleted. A month that is dropped as a whole fires no trigger: maintenance deletes its rows by their time.
CREATE FUNCTION delete_event_audiences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_audiences a USING deleted d WHERE a.event_id = d.id AND a.event_at = d.created_at;
  RETURN NULL;
END $$;
CREATE TRIGGER delete_audiences AFTER DELETE ON events REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION delete_event_audiences();

INSERT INTO actor_tables (name) VALUES ('event_audiences');
