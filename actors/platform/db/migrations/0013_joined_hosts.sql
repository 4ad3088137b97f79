-- A server can be rented once its host has joined, or when an operator delivers it by hand. Hosts from before that have run containers
-- have joined; those of other servers are noted when they next ask for something.
ALTER TABLE servers ADD COLUMN joined_at timestamptz;
ALTER TABLE servers ADD COLUMN delivered_by_hand boolean NOT NULL DEFAULT false;
UPDATE servers SET joined_at = now() WHERE id IN (SELECT server_id FROM containers WHERE driver IS NOT NULL);
