-- The desired revision of a restart that its host has not reported yet: a restart ends without a change of the container's state.
ALTER TABLE containers ADD COLUMN restarting_revision bigint;
