-- Accounts that their users delete (docs/decisions/0080-deleted-accounts.md). The record stays with its id, for the books.

-- { at, by_id, forfeited_cents, tidied }: when, by whom, how much of the balance may be given up, and whether what is to end has ended.
ALTER TABLE accounts ADD COLUMN deletion jsonb;
CREATE INDEX accounts_deleted ON accounts (id) WHERE deletion IS NOT NULL;

-- Nobody else may sign in by the name of a deleted account, and be taken for its user. Only a hash of it remains. The trigger below writes it.
CREATE TABLE retired_usernames (
  hash text PRIMARY KEY
);
CREATE FUNCTION username_hash(name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(lower(name), 'UTF8')), 'hex')
$$;

-- What keeps an account from being deleted, in one place: the trigger below and the API read it. Of purchases that are being paid, and of
-- money that is on its way back, the tasks of their actors tell.
CREATE FUNCTION account_blockers(account text) RETURNS TABLE (kind text, id text, name text, until timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT 'rental', r.id, r.server_name, r.rental_end FROM rentals r WHERE r.user_id = account AND r.status = 'active'
  UNION ALL
  SELECT 'reservation', r.id, r.offer_name, NULL FROM reservations r
    WHERE r.user_id = account AND r.status IN ('pending', 'confirmed')
  UNION ALL
  SELECT 'container', c.id, c.name, NULL FROM containers c WHERE c.user_id = account AND c.desired_state <> 'deleted'
  UNION ALL
  SELECT 'storage_share', s.id, s.name, NULL FROM storage_shares s WHERE s.user_id = account AND s.desired_state <> 'deleted'
  UNION ALL
  SELECT 'alias', a.id, a.alias, NULL FROM aliases a WHERE a.user_id = account
  UNION ALL
  SELECT 'pool', p.id, p.name, NULL FROM pools p
    WHERE p.owner_id = account AND EXISTS (SELECT FROM pool_members m WHERE m.pool_id = p.id)
  UNION ALL
  SELECT 'payment', i.id, i.provider, i.expires_at FROM payment_intents i
    WHERE i.user_id = account AND (i.status = 'pending' OR i.settling)
  UNION ALL
  SELECT 'payment_review', v.id, v.provider, NULL FROM payment_reviews v
    WHERE v.user_id = account AND v.status IN ('open', 'crediting')
  UNION ALL
  SELECT 'purchase', NULL, NULL, NULL FROM tasks t
    WHERE t.kind <> 'account' AND ((t.target_kind = 'wallet' AND t.target_id = account)
      OR (t.target_kind IN ('rental', 'reservation', 'server') AND t.input ->> 'user_id' = account))
$$;

CREATE FUNCTION lock_account(account text, is_deleting boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF is_deleting THEN PERFORM pg_advisory_xact_lock(hashtextextended('account:' || account, 0));
  ELSE PERFORM pg_advisory_xact_lock_shared(hashtextextended('account:' || account, 0));
  END IF;
END $$;

-- Refuses a deletion while something is in its way. The locks keep new things, and changes of the balance, out until the deletion is
-- committed: what comes after finds the account deleted, and is refused by the trigger after this one.
CREATE FUNCTION check_account_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  balance_ bigint;
  blockers_ jsonb;
BEGIN
  PERFORM lock_account(NEW.id, true);
  SELECT general_cents INTO balance_ FROM wallets WHERE user_id = NEW.id FOR UPDATE;
  SELECT jsonb_agg(b) INTO blockers_ FROM (SELECT * FROM account_blockers(NEW.id) LIMIT 50) b;
  IF blockers_ IS NOT NULL THEN
    RAISE EXCEPTION 'account % is in use', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'account_blockers', DETAIL = blockers_::text;
  END IF;
  IF coalesce(balance_, 0) > (NEW.deletion ->> 'forfeited_cents')::bigint THEN
    RAISE EXCEPTION 'account % has a balance', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'account_balance', DETAIL = balance_::text;
  END IF;
  IF OLD.role = 'admin' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('account:administrators', 0));
    IF NOT EXISTS (SELECT FROM accounts WHERE role = 'admin' AND deletion IS NULL AND id <> NEW.id) THEN
      RAISE EXCEPTION 'account % is the last administrator', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'account_last_administrator';
    END IF;
  END IF;
  INSERT INTO retired_usernames (hash) VALUES (username_hash(OLD.username)) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER check_deletion AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.deletion IS NULL AND NEW.deletion IS NOT NULL) EXECUTE FUNCTION check_account_deletion();

CREATE FUNCTION refuse_retired_username() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM retired_usernames WHERE hash = username_hash(NEW.username)) THEN
    RAISE EXCEPTION 'the name % was that of a deleted account', NEW.username
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'accounts_username';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_retired_username AFTER INSERT ON accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_retired_username();

-- Refuses rows of a deleted account. Argument: the column with the user.
CREATE FUNCTION refuse_deleted_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account_ text;
BEGIN
  -- In the order of their ids, as quotas take their locks.
  FOR account_ IN EXECUTE format('SELECT DISTINCT %I FROM added ORDER BY 1', TG_ARGV[0]) LOOP
    PERFORM lock_account(account_, false);
    IF EXISTS (SELECT FROM accounts WHERE id = account_ AND deletion IS NOT NULL) THEN
      RAISE EXCEPTION 'account % is deleted', account_
        USING ERRCODE = 'check_violation', CONSTRAINT = 'account_deleted';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
DO $$
DECLARE
  table_ text;
BEGIN
  FOREACH table_ IN ARRAY ARRAY['rentals', 'reservations', 'containers', 'storage_shares', 'aliases', 'projects', 'pool_members',
    'pool_invitations', 'payment_intents', 'payment_methods', 'webhooks', 'api_tokens', 'owned_images'] LOOP
    EXECUTE format('CREATE TRIGGER refuse_deleted_account AFTER INSERT ON %I REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted_account(''user_id'')', table_);
  END LOOP;
END $$;
CREATE TRIGGER refuse_deleted_account AFTER INSERT ON pools REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted_account('owner_id');
