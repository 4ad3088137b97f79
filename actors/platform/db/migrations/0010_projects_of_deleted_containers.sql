-- A project is kept by containers that are there, and no longer by those that are being deleted: a host that does not answer cannot
-- keep it. The constraint has its old name, by which the actors know it.
ALTER TABLE containers DROP CONSTRAINT containers_project;
ALTER TABLE containers ADD COLUMN live_project_id text
  GENERATED ALWAYS AS (CASE WHEN desired_state <> 'deleted' THEN project_id END) STORED
  CONSTRAINT containers_project REFERENCES projects (id);
CREATE INDEX containers_live_project ON containers (live_project_id);
