-- What Berth's three database roles may do, in the database that this runs in. A superuser runs it; running it again is safe.
-- Roles are made with passwords beforehand: see docs/operations.md.
--   berth_owner    owns the schema and runs migrations
--   berth_actors   reads and writes rows
--   berth_gateway  reads rows
DO $$
DECLARE
  object record;
BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO berth_owner', current_database());
  -- Among what everybody may do by default is to make temporary tables.
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO berth_actors, berth_gateway', current_database());
  ALTER SCHEMA public OWNER TO berth_owner;
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO berth_actors, berth_gateway;

  -- A database that a superuser has migrated before.
  FOR object IN
    SELECT format('ALTER %s %s OWNER TO berth_owner',
      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass) AS statement
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
      AND relowner <> 'berth_owner'::regrole
      -- The sequence of a serial column follows its table.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_class.oid AND d.deptype IN ('a', 'i') AND relkind = 'S')
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO berth_owner', oid::regprocedure)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> 'berth_owner'::regrole
  LOOP
    EXECUTE object.statement;
  END LOOP;

  -- For `berth doctor`: how far replicas are, and everybody's connections.
  IF NOT pg_has_role('berth_gateway', 'pg_read_all_stats', 'MEMBER') THEN
    GRANT pg_read_all_stats TO berth_gateway;
  END IF;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO berth_actors;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO berth_actors;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO berth_actors;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO berth_gateway;

-- The same for what migrations add, so that none can forget it.
ALTER DEFAULT PRIVILEGES FOR ROLE berth_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO berth_actors;
ALTER DEFAULT PRIVILEGES FOR ROLE berth_owner IN SCHEMA public GRANT USAGE ON SEQUENCES TO berth_actors;
ALTER DEFAULT PRIVILEGES FOR ROLE berth_owner IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO berth_actors;
ALTER DEFAULT PRIVILEGES FOR ROLE berth_owner IN SCHEMA public GRANT SELECT ON TABLES TO berth_gateway;
