-- An approval of a program's sign-in ends when its user ends all other sessions or changes the password (docs/decisions/0065-device-sign-in.md).
-- Grows each time: numbers need no clock that all hosts share.
ALTER TABLE accounts ADD COLUMN sessions_epoch integer NOT NULL DEFAULT 0;
-- The account's number when the sign-in was decided.
ALTER TABLE device_sign_ins ADD COLUMN sessions_epoch integer;
