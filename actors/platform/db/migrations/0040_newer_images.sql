-- Requests for the newest image of a container's reference: how many there were, and the revision of one that its host has not finished.

ALTER TABLE containers
  ADD COLUMN image_generation integer NOT NULL DEFAULT 0,
  ADD COLUMN pulling_revision bigint;
