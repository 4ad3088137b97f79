-- What containers are created with (docs/decisions/0056-container-settings.md), and a description for projects.

ALTER TABLE containers
  ADD COLUMN args jsonb NOT NULL DEFAULT '[]',
  -- [{ name, value }], and of secrets [{ name, sealed }]: encrypted, for a key that the database does not have.
  ADD COLUMN env jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN ports jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN resources jsonb NOT NULL DEFAULT '{"cpu_cores": null, "memory_bytes": null, "disk_bytes": null}',
  ADD COLUMN restart_policy jsonb NOT NULL DEFAULT '{"name": "always", "max_retries": null}',
  ADD COLUMN stop_grace_seconds int NOT NULL DEFAULT 5 CHECK (stop_grace_seconds >= 0),
  ADD COLUMN labels jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN settings_revision bigint NOT NULL DEFAULT 1,
  -- The desired revision in which each of the settings changed last that take effect at a start.
  ADD COLUMN setting_changes jsonb NOT NULL DEFAULT '{}',
  -- What its host reports: the desired revision that it was started with, how its last run ended, and its limits.
  ADD COLUMN started_revision bigint,
  ADD COLUMN exit jsonb,
  ADD COLUMN restarts bigint NOT NULL DEFAULT 0,
  ADD COLUMN applied_resources jsonb;

-- The command was what goes in place of the arguments of an image, which has its name now. Without an image it is what runs, as before.
UPDATE containers SET args = command, command = '[]', version = version + 1 WHERE command <> '[]';

ALTER TABLE projects ADD COLUMN description text NOT NULL DEFAULT '';

-- Notices that were deleted: by the user whose inbox it is, also a notice to all users, which only this user then does not see; or in the
-- inbox `all`, for everybody. The name of the key is not the runtime's own: a second deletion is refused, and not tried again.
CREATE TABLE notification_deletions (
  inbox_id text NOT NULL,
  notification_id text NOT NULL,
  deleted_at timestamptz NOT NULL,
  CONSTRAINT notification_deletions_once PRIMARY KEY (inbox_id, notification_id)
);
CREATE INDEX notification_deletions_last ON notification_deletions (inbox_id, deleted_at);
INSERT INTO actor_tables (name) VALUES ('notification_deletions');
ALTER TABLE notification_reads DROP CONSTRAINT notification_reads_notification_id_fkey,
  ADD CONSTRAINT notification_reads_notification FOREIGN KEY (notification_id) REFERENCES notifications (id) ON DELETE CASCADE;

-- A notice that is deleted in its own inbox goes with its text.
CREATE FUNCTION delete_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notifications n USING added a WHERE n.id = a.notification_id AND n.inbox_id = a.inbox_id;
  RETURN NULL;
END $$;
CREATE TRIGGER delete_notifications AFTER INSERT ON notification_deletions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION delete_notifications();
