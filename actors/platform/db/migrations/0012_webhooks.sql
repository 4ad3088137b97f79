-- Webhooks, and the queue and log of their deliveries (docs/decisions/0049-webhooks.md).
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  user_id text NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  -- null: every type
  event_types jsonb,
  enabled boolean NOT NULL,
  disabled_reason text,
  -- Events from this time on are sent.
  enabled_since timestamptz NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX webhooks_user ON webhooks (user_id, created_at);
CREATE INDEX webhooks_enabled ON webhooks (id) WHERE enabled;
INSERT INTO actor_tables (name) VALUES ('webhooks');

-- No actor's table: actor hosts claim rows, and whoever holds a claim writes the outcome. A claim runs out by itself.
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  webhook_id text NOT NULL,
  message_id text NOT NULL,
  -- null: a redelivery or a test
  event_id text,
  event_type text NOT NULL,
  -- What is sent in order: the resource of the event.
  thing text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  payload text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  -- infinity: an earlier delivery of the same thing is pending
  next_attempt_at timestamptz NOT NULL DEFAULT 'infinity',
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  response_status int,
  response_body text,
  error text,
  duration_ms int,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
) WITH (fillfactor = 80);
-- An event is enqueued once for each webhook, however often it is handed over.
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (webhook_id, event_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_thing ON webhook_deliveries (webhook_id, thing, position) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id DESC);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, id DESC) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_delivered ON webhook_deliveries (webhook_id, finished_at) WHERE status = 'delivered';
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- Changes of a webhook's queue take turns: what is enqueued behind a delivery sees whether that one has ended.
CREATE FUNCTION lock_webhook_queues(webhooks text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  webhook text;
BEGIN
  -- In one order, so that no two transactions wait for each other.
  FOR webhook IN SELECT DISTINCT id FROM unnest(webhooks) AS given (id) ORDER BY id LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('webhook:' || webhook, 0));
  END LOOP;
END $$;

-- Lets the first pending delivery of each thing begin, where it waited for an earlier one.
CREATE FUNCTION release_webhook_deliveries(webhooks text[], things text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE webhook_deliveries d SET next_attempt_at = clock_timestamp()
  FROM (SELECT DISTINCT webhook_id, thing FROM unnest(webhooks, things) AS given (webhook_id, thing)) heads
  WHERE d.next_attempt_at = 'infinity' AND d.id = (
    SELECT p.id FROM webhook_deliveries p
    WHERE p.webhook_id = heads.webhook_id AND p.thing = heads.thing AND p.status = 'pending'
    ORDER BY p.position LIMIT 1)
$$;

-- Adds deliveries, in the order in which they are given. Those of a webhook that is disabled or gone are left out, and events that it has already.
CREATE FUNCTION enqueue_webhook_deliveries(
  ids text[], webhooks_ text[], messages text[], events_ text[], types text[], things text[], payloads text[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  added bigint;
BEGIN
  PERFORM lock_webhook_queues(webhooks_);
  INSERT INTO webhook_deliveries (id, webhook_id, message_id, event_id, event_type, thing, payload)
    SELECT n.id, n.webhook_id, n.message_id, n.event_id, n.event_type, n.thing, n.payload
    FROM unnest(ids, webhooks_, messages, events_, types, things, payloads)
      WITH ORDINALITY AS n (id, webhook_id, message_id, event_id, event_type, thing, payload, place)
    WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = n.webhook_id AND w.enabled)
    ORDER BY n.place
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  PERFORM release_webhook_deliveries(webhooks_, things);
  RETURN added;
END $$;

-- Writes the outcome of an attempt, unless the claim ran out and another attempt has begun. `retry_ms` null: there is no further one.
CREATE FUNCTION finish_webhook_attempt(
  delivery text, attempt int, is_delivered boolean, retry_ms bigint, status_ int, body text, error_ text, duration int
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  d webhook_deliveries;
BEGIN
  SELECT * INTO d FROM webhook_deliveries WHERE id = delivery;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM lock_webhook_queues(ARRAY[d.webhook_id]);
  UPDATE webhook_deliveries SET
    status = CASE WHEN is_delivered THEN 'delivered' WHEN retry_ms IS NULL THEN 'failed' ELSE 'pending' END,
    next_attempt_at = CASE WHEN is_delivered OR retry_ms IS NULL THEN next_attempt_at
      ELSE clock_timestamp() + retry_ms * interval '1 millisecond' END,
    finished_at = CASE WHEN is_delivered OR retry_ms IS NULL THEN clock_timestamp() END,
    response_status = status_, response_body = body, error = error_, duration_ms = duration
  WHERE id = delivery AND status = 'pending' AND attempts = attempt;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF is_delivered OR retry_ms IS NULL THEN
    PERFORM release_webhook_deliveries(ARRAY[d.webhook_id], ARRAY[d.thing]);
  END IF;
  RETURN true;
END $$;

-- The quota. The view is written anew from its own definition, so that it keeps whatever other migrations count.
DO $$
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW quota_usage (quota, scope_id, used) AS ' || rtrim(pg_get_viewdef('quota_usage'::regclass), E'; \n')
    || ' UNION ALL SELECT ''webhooks_per_user'', user_id, count(*) FROM webhooks GROUP BY user_id';
END $$;
CREATE TRIGGER quota_per_user AFTER INSERT ON webhooks REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION enforce_quota('webhooks_per_user', 'user_id');
