-- The catalogue of container images: what users own of it, what they think of it, and icons.

ALTER TABLE images
  ADD COLUMN serial text NOT NULL DEFAULT '',
  ADD COLUMN size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  ADD COLUMN tags jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN public boolean NOT NULL DEFAULT true,
  ADD COLUMN prespawn boolean NOT NULL DEFAULT false,
  -- Hundredths, so that the sum is exact.
  ADD COLUMN rating_sum bigint NOT NULL DEFAULT 0,
  ADD COLUMN rating_count bigint NOT NULL DEFAULT 0,
  -- What a search looks through: name, description and tags, folded by its actor.
  ADD COLUMN search_text text NOT NULL DEFAULT '',
  ADD COLUMN deleted_at timestamptz,
  ADD CONSTRAINT images_rating CHECK (rating_count >= 0 AND rating_sum BETWEEN 0 AND rating_count * 500);
UPDATE images SET search_text = lower(concat_ws(E'\n', alias, image_name, description));

-- What is shown is what is filtered and sorted by.
ALTER TABLE images
  ADD COLUMN average_rating numeric GENERATED ALWAYS AS (
    CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / (rating_count * 100), 2) END) STORED;

-- An alias is free again when its image is gone.
DROP INDEX images_alias;
CREATE UNIQUE INDEX images_alias ON images (alias) WHERE deleted_at IS NULL;
CREATE INDEX images_public ON images (created_at, id) WHERE public AND deleted_at IS NULL;

CREATE TABLE image_icons (
  image_id text PRIMARY KEY,
  png bytea NOT NULL CHECK (length(png) <= 262144),
  etag text NOT NULL,
  updated_at timestamptz NOT NULL
);
-- They are compressed already.
ALTER TABLE image_icons ALTER COLUMN png SET STORAGE EXTERNAL;

-- A user's part in the catalogue. `acquiring`: image → the saga that gets it for them.
CREATE TABLE image_libraries (
  user_id text PRIMARY KEY,
  version bigint NOT NULL,
  acquiring jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE owned_images (
  user_id text NOT NULL,
  image_id text NOT NULL,
  source text NOT NULL CHECK (source IN ('imported', 'purchased')),
  price_paid_cents bigint NOT NULL CHECK (price_paid_cents >= 0),
  transaction_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, image_id)
);
CREATE INDEX owned_images_created ON owned_images (user_id, created_at, image_id);

CREATE TABLE image_ratings (
  user_id text NOT NULL,
  image_id text NOT NULL,
  hundredths int NOT NULL CHECK (hundredths BETWEEN 0 AND 500),
  -- What the image's sum has of it; null: nothing yet.
  counted int,
  -- The saga that tells the image, and the one that will tell it of what came meanwhile.
  telling text,
  next text,
  PRIMARY KEY (user_id, image_id)
);

INSERT INTO actor_tables (name) VALUES ('image_icons'), ('image_libraries'), ('owned_images'), ('image_ratings');
