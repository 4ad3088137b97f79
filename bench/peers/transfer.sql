-- The best plain handler: one round trip, whose row lock is the UPDATE's own. All that a transfer of Berth's writes is
-- written here too, to the same tables.

CREATE SEQUENCE IF NOT EXISTS outbox_seq START 1000000;

CREATE OR REPLACE FUNCTION money(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT (cents / 100)::text || '.' || lpad((cents % 100)::text, 2, '0')
$$;

CREATE OR REPLACE FUNCTION transfer(
  p_user text, p_partition int, p_key text, p_fingerprint text, p_minted boolean, p_gross bigint, p_fee bigint,
  p_transaction text, p_net_movement text, p_fee_movement text,
  p_event text, p_event_data jsonb, p_event_body jsonb, p_now timestamptz,
  OUT outcome text, OUT reply jsonb
) LANGUAGE plpgsql AS $$
DECLARE
  net_micros bigint := (p_gross - p_fee) * 10000;
  general bigint;
  ai bigint;
  new_version bigint;
BEGIN
  -- A key that was minted for this very request has no receipt. Two requests with one key at once: the second fails on
  -- the receipt's primary key, and its handler asks again.
  IF NOT p_minted THEN
    SELECT CASE WHEN r.fingerprint = p_fingerprint THEN 'replayed' ELSE 'reused' END, r.reply
      INTO outcome, reply FROM receipts r WHERE r.actor_id = p_user AND r.key = p_key;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  UPDATE wallets SET
    version = version + 1, general_cents = general_cents - p_gross, ai_limit_micros = ai_limit_micros + net_micros,
    updated_at = p_now
  WHERE user_id = p_user AND general_cents >= p_gross
  RETURNING version, general_cents, ai_limit_micros INTO new_version, general, ai;
  IF NOT FOUND THEN
    outcome := 'insufficient';
    RETURN;
  END IF;

  outcome := 'done';
  reply := jsonb_build_object(
    'gross_transferred', money(p_gross), 'net_ai_credit', money(p_gross - p_fee), 'fee', money(p_fee),
    'general_balance', money(general), 'ai_balance', money(ai / 10000),
    'key_created', false, 'limit_sync_pending', false);

  INSERT INTO transactions
    (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
    VALUES (p_transaction, p_user, 'ai_credit_transfer', 'completed', p_gross, 'USD', 'Transfer to AI credit', p_now, p_now);
  INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at) VALUES
    (p_net_movement, p_transaction, p_user, 'general:' || p_user, 'ai:' || p_user, net_micros, p_now),
    (p_fee_movement, p_transaction, p_user, 'general:' || p_user, 'platform:fees', p_fee * 10000, p_now);
  INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at)
    VALUES (p_user, p_key, p_fingerprint, reply, new_version, p_minted, p_now);
  INSERT INTO events
    (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
    VALUES (p_event, 'user.credit_transferred', 'user', p_user, p_user, NULL, NULL, NULL, p_event_data, p_now);
  INSERT INTO outbox (partition, seq, topic, body, created_at)
    VALUES (p_partition, nextval('outbox_seq'), 'event', p_event_body, p_now);
END $$;
