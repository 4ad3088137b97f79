-- An account's role changes by a message to its actor, and one administrator always remains.

CREATE FUNCTION assert_administrator_remains(account text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Two who leave at the same moment wait for each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('account:administrators', 0));
  IF NOT EXISTS (SELECT FROM accounts WHERE role = 'admin' AND deletion IS NULL AND id <> account) THEN
    RAISE EXCEPTION 'account % is the last administrator', account
      USING ERRCODE = 'check_violation', CONSTRAINT = 'account_last_administrator';
  END IF;
END $$;

CREATE FUNCTION check_account_demotion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_administrator_remains(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER check_demotion AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.role = 'admin' AND NEW.role <> 'admin' AND NEW.deletion IS NULL) EXECUTE FUNCTION check_account_demotion();
