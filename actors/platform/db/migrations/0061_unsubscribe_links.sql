-- What the links that switch off mails follow from, so that they hold without a record of each (docs/decisions/0130-outgoing-mail.md). One row.
CREATE TABLE mail_link_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key text NOT NULL
);
-- Two random identifiers have 244 random bits.
INSERT INTO mail_link_key (key) VALUES (gen_random_uuid()::text || gen_random_uuid()::text);
