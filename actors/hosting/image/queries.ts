import type {
  CATALOGUE_SORT,
  CatalogueImage,
  PUBLIC_IMAGES_SORT,
  PublicImage,
  PublicImageDetail,
  USER_IMAGES_SORT,
  UserImage,
} from "../../../schemas/hosting/image.ts";
import { parseImageReference } from "../../../schemas/hosting/image-reference.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import {
  isNamed,
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { hasPngSignature, invalidIcon } from "./png.ts";
import { folded } from "./rules.ts";

interface ImageRow {
  id: string;
  alias: string;
  description: string;
  image_name: string;
  architecture: string;
  os: string;
  release: string;
  variant: string;
  serial: string;
  size: bigint;
  price_cents: bigint;
  tags: string[];
  public: boolean;
  prespawn: boolean;
  reference: string | null;
  command: string[];
  rating_sum: bigint;
  rating_count: bigint;
  average_rating: string;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The images among these that have an icon. */
export async function readIconsOf(db: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db<{ image_id: string }[]>`
    SELECT image_id FROM image_icons WHERE image_id = ANY (${[...ids]}::text[])`;
  return new Map(rows.map(({ image_id }) => [image_id, [image_id]]));
}

/**
 * The root file system and command of an image, for a new container; undefined if there is no such image, or the user
 * may not use it.
 */
export async function readImageToRun(
  db: Sql,
  userId: string,
  id: string,
): Promise<{ reference: string | null; command: string[] } | undefined> {
  const [row] = await db<{ reference: string | null; command: string[] }[]>`
    SELECT reference, command FROM images i
    WHERE id = ${id} AND (
      (public AND deleted_at IS NULL AND price_cents = 0)
      OR EXISTS (SELECT FROM owned_images o WHERE o.user_id = ${userId} AND o.image_id = i.id))`;
  return row;
}

/**
 * Whether a user may run an image by its reference. A host may have an image of the catalogue already, and then asks no registry: so a
 * reference needs what the catalogue's entries ask for that may be the same image. A digest may be that of any tag of its repository.
 *
 * @param reference in its full form
 */
export async function mayRunReference(
  db: Sql,
  userId: string,
  reference: string,
): Promise<{ allowed: true } | { allowed: false; isPublic: boolean }> {
  const { registry, repository, digest } = parseImageReference(reference);
  const name = `${registry}/${repository}`;
  const [sameTag, anyDigest] = [digest === null ? `${reference}@` : `${name}:`, `${name}@`];
  const entries = await db<{ public: boolean; exact: boolean; runnable: boolean }[]>`
    SELECT public, reference = ${reference} AS exact, (public AND price_cents = 0)
      OR EXISTS (SELECT FROM owned_images o WHERE o.user_id = ${userId} AND o.image_id = i.id) AS runnable
    FROM images i
    WHERE deleted_at IS NULL AND (reference = ${reference}
      OR starts_with(reference, ${sameTag}) OR starts_with(reference, ${anyDigest}))`;
  const refused = entries.filter(({ runnable }) => !runnable);
  if (refused.length === 0 || entries.some(({ exact, runnable }) => exact && runnable))
    return { allowed: true };
  return { allowed: false, isPublic: refused.every((entry) => entry.public) };
}

export interface PublicImagesFilter {
  readonly os?: string | undefined;
  readonly architecture?: string | undefined;
  /** Amounts in USD and ratings are text, since a float would miss equal values. */
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
  readonly minRating?: string | undefined;
  readonly maxRating?: string | undefined;
  readonly search?: string | undefined;
}

/** A page of the images of the catalogue that match a filter (spec §4.10). */
export async function listPublicImages(
  db: Sql,
  filter: PublicImagesFilter,
  page: PageOf<typeof PUBLIC_IMAGES_SORT>,
): Promise<CountedSlice<PublicImage>> {
  const when = whenGiven(db);
  const where = db`public AND deleted_at IS NULL
    ${when(filter.os, (os) => db`AND os = ${os.toLowerCase()}`)}
    ${when(filter.architecture, (architecture) => db`AND architecture = ${architecture.toLowerCase()}`)}
    ${when(filter.minPrice, (usd) => db`AND price_cents >= ${usd}::numeric * 100`)}
    ${when(filter.maxPrice, (usd) => db`AND price_cents <= ${usd}::numeric * 100`)}
    ${when(filter.minRating, (least) => db`AND average_rating >= ${least}::numeric`)}
    ${when(filter.maxRating, (most) => db`AND average_rating <= ${most}::numeric`)}
    ${when(filter.search, (text) => db`AND position(${folded(text)} IN search_text) > 0`)}`;
  const columns = {
    alias: db`lower(alias) COLLATE "C"`,
    added_date: db`created_at`,
    price: db`price_cents`,
    rating: db`average_rating`,
  };
  const { position, isAfter, order } = keyset(db, page, columns, db`id`);
  const [rows, total] = await Promise.all([
    db<Positioned<ImageRow>[]>`
      SELECT *, ${position} FROM images WHERE ${where} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM images WHERE ${where}`),
  ]);
  return { ...sliceOf(rows, page, toPublic), total };
}

/** An image of the catalogue; undefined for one that is not public. */
export async function readPublicImage(db: Sql, id: string): Promise<PublicImageDetail | undefined> {
  const [row] = await db<ImageRow[]>`
    SELECT * FROM images WHERE id = ${id} AND public AND deleted_at IS NULL`;
  return row && { ...toPublic(row), serial: row.serial };
}

/** The price of an image in cents; undefined unless it is in the catalogue, or the user has it. */
export async function readPriceCents(db: Sql, userId: string, id: string): Promise<number | undefined> {
  const [row] = await db<{ price_cents: bigint }[]>`
    SELECT price_cents FROM images i
    WHERE id = ${id} AND ((public AND deleted_at IS NULL)
      OR EXISTS (SELECT FROM owned_images o WHERE o.user_id = ${userId} AND o.image_id = i.id))`;
  return row && Number(row.price_cents);
}

/** A page of the images that a user has, by the time of acquisition. */
export async function listUserImages(
  db: Sql,
  userId: string,
  page: PageOf<typeof USER_IMAGES_SORT>,
): Promise<CountedSlice<UserImage>> {
  const own = db`WHERE o.user_id = ${userId} ${isNamed(db, page, db`i.alias`)}`;
  const columns = { created_at: db`o.created_at`, alias: db`lower(i.alias)` };
  const { position, isAfter, order } = keyset(db, page, columns, db`o.image_id`);
  const [rows, total] = await Promise.all([
    db<Positioned<ImageRow & { source: UserImage["source"]; since: Date; hundredths: number | null }>[]>`
      SELECT i.*, o.source, o.created_at AS since, r.hundredths, ${position}
      FROM owned_images o JOIN images i ON i.id = o.image_id
      LEFT JOIN image_ratings r ON r.user_id = o.user_id AND r.image_id = o.image_id
      ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM owned_images o JOIN images i ON i.id = o.image_id ${own}`),
  ]);
  const slice = sliceOf(rows, page, (row) => ({
    ...common(row),
    source: row.source,
    created_at: row.since.toISOString(),
    has_rated: row.hundredths !== null,
    user_rating: row.hundredths === null ? null : row.hundredths / 100,
  }));
  return { ...slice, total };
}

/** The references of images that hosts keep ready, the oldest `limit` of the catalogue. */
export async function listPrespawnReferences(db: Sql, limit: number): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    SELECT reference FROM images WHERE prespawn AND reference IS NOT NULL AND deleted_at IS NULL
    GROUP BY reference ORDER BY min(created_at), reference LIMIT ${limit}`;
  return rows.map(({ reference }) => reference);
}

/** How far the hosts are with an image that they keep ready. */
const preparedOf = (db: Sql) => db`(
  SELECT jsonb_build_object(
    'ready', count(*) FILTER (WHERE p ->> 'state' = 'ready'),
    'pulling', count(*) FILTER (WHERE p ->> 'state' = 'pulling'),
    'error', count(*) FILTER (WHERE p ->> 'state' = 'error'),
    'reason', min(p ->> 'error') FILTER (WHERE p ->> 'state' = 'error'))
  FROM host_machines h, jsonb_array_elements(h.prepared_images) p
  WHERE h.removed_at IS NULL AND images.prespawn AND p ->> 'reference' = images.reference) AS prepared`;

interface CatalogueRow extends ImageRow {
  prepared: CatalogueImage["prepared"];
}

/** A page of all images that are not deleted, for administrators, by alias. */
export async function listCatalogue(
  db: Sql,
  page: PageOf<typeof CATALOGUE_SORT>,
): Promise<CountedSlice<CatalogueImage>> {
  const listed = db`FROM images WHERE deleted_at IS NULL ${isNamed(db, page, db`alias`)}`;
  const columns = { alias: db`lower(alias)`, added_date: db`created_at`, price: db`price_cents` };
  const { position, isAfter, order } = keyset(db, page, columns, db`id`);
  const [rows, total] = await Promise.all([
    db<Positioned<CatalogueRow>[]>`
      SELECT *, ${preparedOf(db)}, ${position} ${listed} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, listed),
  ]);
  return { ...sliceOf(rows, page, toCatalogue), total };
}

/** An image as administrators see it; undefined if there is none with this id, or it was deleted. */
export async function readCatalogueImage(db: Sql, id: string): Promise<CatalogueImage | undefined> {
  const [row] = await db<CatalogueRow[]>`
    SELECT *, ${preparedOf(db)} FROM images WHERE id = ${id} AND deleted_at IS NULL`;
  return row && toCatalogue(row);
}

export interface Icon {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly updatedAt: Date;
}

/**
 * The icon of an image of the catalogue; undefined if it has none, or is not public.
 * @throws INVALID_ICON_FORMAT if the table holds something other than a PNG
 */
export async function readIcon(db: Sql, id: string): Promise<Icon | undefined> {
  const [row] = await db<{ png: Uint8Array<ArrayBuffer>; etag: string; updated_at: Date }[]>`
    SELECT c.png, c.etag, c.updated_at FROM image_icons c JOIN images i ON i.id = c.image_id
    WHERE i.id = ${id} AND i.public AND i.deleted_at IS NULL`;
  if (row === undefined) return undefined;
  if (!hasPngSignature(row.png)) throw invalidIcon();
  return { png: row.png, etag: row.etag, updatedAt: row.updated_at };
}

const common = (row: ImageRow) => ({
  id: row.id,
  alias: row.alias,
  description: row.description,
  image_name: row.image_name,
  architecture: row.architecture,
  os: row.os,
  release: row.release,
  variant: row.variant,
  size: Number(row.size),
  price: Number(row.price_cents) / 100,
  tags: row.tags,
  average_rating: Number(row.average_rating),
  rating_count: Number(row.rating_count),
  icon_url: `/api/v1/images/${row.id}/icon`,
  prespawn: row.prespawn,
});

const toPublic = (row: ImageRow): PublicImage => ({
  ...common(row),
  added_date: row.created_at.toISOString(),
});

const toCatalogue = (row: CatalogueRow): CatalogueImage => ({
  ...toPublic(row),
  serial: row.serial,
  public: row.public,
  reference: row.reference ?? "",
  command: row.command,
  prepared: row.prepared,
  updated_at: row.updated_at.toISOString(),
});
