-- Containers of images from registries: the reference of the image, and what its host says of it.
ALTER TABLE containers ADD COLUMN image_reference text;
ALTER TABLE containers ADD COLUMN image jsonb;
-- An entry of the catalogue may be such an image.
ALTER TABLE images ADD COLUMN reference text;
