-- Months of the event log are tables, and only their owner may make and drop them: these two run with the owner's rights, so
-- that actor hosts need none. `migrate` takes such functions away from PUBLIC.
ALTER FUNCTION make_event_partition(timestamptz) SECURITY DEFINER SET search_path = public, pg_temp;
ALTER FUNCTION sweep_old_events(timestamptz, int) SECURITY DEFINER SET search_path = public, pg_temp;
