-- Changes of what a server's containers may take together, and the last one that the host of a container was told of.

ALTER TABLE servers ADD COLUMN specs_revision bigint NOT NULL DEFAULT 0;
ALTER TABLE containers ADD COLUMN specs_revision bigint NOT NULL DEFAULT 0;

CREATE INDEX servers_changed_specs ON servers (id) WHERE specs_revision > 0;
