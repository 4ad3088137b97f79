-- Views that join tables of several domains.

-- A user's role on a server, in one place: the user who rents a server owns it, and members of the rental's pool have their roles.
CREATE VIEW server_access AS
  SELECT s.id AS server_id, r.user_id, 'owner' AS role, r.pool_id
  FROM servers s JOIN rentals r ON r.id = s.rental_id
  UNION ALL
  SELECT s.id, m.user_id, m.role, r.pool_id
  FROM pool_members m JOIN rentals r ON r.pool_id = m.pool_id JOIN servers s ON s.rental_id = r.id;
