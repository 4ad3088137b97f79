-- Sign-ins of programs that a person approves in the console (docs/decisions/0065-device-sign-in.md).
CREATE TABLE device_sign_ins (
  id text PRIMARY KEY,
  version bigint NOT NULL,
  -- SHA-256 of the secret of the program that waits.
  secret_hash text NOT NULL,
  -- What the person compares or types: eight letters.
  user_code text NOT NULL CONSTRAINT device_sign_ins_user_code UNIQUE,
  client_name text NOT NULL,
  address text,
  user_agent text,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'redeemed')),
  -- Who approved it, and in which session: the sign-in needs that session until it is redeemed.
  user_id text,
  session_id text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
INSERT INTO actor_tables (name) VALUES ('device_sign_ins');
