-- Outgoing mail: its queue and log, and recovery of an account by a link that is mailed (docs/decisions/0130-outgoing-mail.md).

-- A link that waits to be used, beside one of an administrator: whoever asks for mail ends no link that an administrator gave.
ALTER TABLE accounts ADD COLUMN mail_recovery jsonb;

-- How often links for an address were asked for. A row says nothing of whether an account has the address.
CREATE TABLE recovery_requests (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  asked int NOT NULL,
  expires_at timestamptz NOT NULL
);
INSERT INTO actor_tables (name) VALUES ('recovery_requests');

-- No actor's table: actor hosts claim rows, and whoever holds a claim writes the outcome. A claim runs out by itself.
-- What opens an account is not in it: the link of a mail is made when the mail is sent.
CREATE TABLE mails (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  address text NOT NULL,
  kind text NOT NULL,
  content jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  -- What the mail server said last.
  error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE status = 'pending';
CREATE INDEX mails_user ON mails (user_id, created_at);
CREATE INDEX mails_finished ON mails (finished_at) WHERE finished_at IS NOT NULL;
