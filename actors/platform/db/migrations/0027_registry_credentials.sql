-- Credentials of projects for private registries (docs/images.md).

ALTER TABLE projects
  -- [{ registry, username, sealed, updated_at }]: the password is encrypted (system/secret-box.ts).
  ADD COLUMN registry_credentials jsonb NOT NULL DEFAULT '[]';
