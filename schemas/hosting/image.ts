import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, numberedQuery, offsetQuery, Pagination, searchQuery } from "../paging.ts";
import { Amount, Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { NEWEST_FIRST, sortByQuery, sorting } from "../sorting.ts";
import { Line, Name, Text } from "../text.ts";
import { REFERENCE_LENGTH_MAX } from "./image-reference.ts";

/** The catalogue of container images (spec, control plane §2 "Container image", §4.10). Cases that the spec leaves open are decided here. */

export const IMAGES_PAGE = { standard: 20, max: 100 };
/** Enough for an icon; its base64 form fits into one operation of an actor. */
export const ICON_BYTES_MAX = 256 * 1024;
export const ICON_PIXELS_MAX = 512;
export const ICON_ID = /^[0-9a-f]{24}$/;

const ARCHITECTURES = ["amd64", "arm64", "armhf", "ppc64el", "riscv64", "s390x"] as const;
export const Architecture = OneOf(ARCHITECTURES);
/** The systems that the platform carries (spec §4.10): operating system → releases. */
export const SYSTEMS: Readonly<Record<string, readonly string[]>> = { debian: ["13"] };

const fields = {
  alias: Name(100),
  description: Name(1_000),
  image_name: Name(200),
  architecture: Architecture,
  os: Type.String({ description: Object.keys(SYSTEMS).join(", ") }),
  release: Type.String({
    description: "a release of the operating system that the platform carries: debian 13",
  }),
  variant: Name(64),
  price: Amount,
};
const extras = {
  command: Type.Array(Text({ maxLength: 4_096 }), {
    maxItems: 64,
    description: "the command of its containers, as argv; empty: none",
  }),
  reference: Type.String({
    maxLength: REFERENCE_LENGTH_MAX,
    description:
      "what its containers are made of: `[registry/]name[:tag][@sha256:…]`; empty: the programs of their host",
  }),
  serial: Line(64),
  size: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000_000, description: "bytes" }),
  tags: Type.Array(Name(32), { maxItems: 16, uniqueItems: true }),
  public: Type.Boolean({ description: "whether the catalogue lists it" }),
  prespawn: Type.Boolean({
    description:
      "whether every host pulls its `reference` ahead and keeps it, so that a new container waits for no pull; needs a `reference`",
  }),
};

/** From an operator, and between actors: an image is added to the catalogue. */
export const AddImage = Strict({ ...fields, ...Type.Partial(Type.Object(extras)).properties });
export type AddImage = Static<typeof AddImage>;
export const CreateImage = Strict({
  ...AddImage.properties,
  idempotency_key: Type.Optional(IdempotencyKey),
});

/** Missing fields stay unchanged. */
export const ChangeImage = Strict(Type.Partial(Type.Object({ ...fields, ...extras })).properties, {
  minProperties: 1,
});
export type ChangeImage = Static<typeof ChangeImage>;

const record = {
  id: Id,
  alias: Type.String(),
  description: Type.String(),
  image_name: Type.String(),
  architecture: Type.String(),
  os: Type.String(),
  release: Type.String(),
  variant: Type.String(),
  size: Type.Integer({ description: "bytes" }),
  price: Type.Number({ description: "USD; 0: free" }),
  tags: Type.Array(Type.String()),
  average_rating: Type.Number({
    minimum: 0,
    maximum: 5,
    description: "rounded to the hundredth; 0: no ratings",
  }),
  rating_count: Type.Integer(),
  icon_url: Type.String({ description: "path of its icon" }),
  prespawn: Type.Boolean(),
};

export const PublicImage = Type.Object({ ...record, added_date: Timestamp });
export type PublicImage = Static<typeof PublicImage>;
export const PublicImageDetail = Type.Object({ ...PublicImage.properties, serial: Type.String() });
export type PublicImageDetail = Static<typeof PublicImageDetail>;

/** An image that the user owns, also after it has left the catalogue. */
export const UserImage = Type.Object({
  ...record,
  source: OneOf(["imported", "purchased"]),
  created_at: Type.String({ description: "when the user got it" }),
  has_rated: Type.Boolean(),
  user_rating: Nullable(Type.Number({ minimum: 0, maximum: 5 })),
});
export type UserImage = Static<typeof UserImage>;

/** An image as an operator sees it. */
export const CatalogueImage = Type.Object({
  ...PublicImageDetail.properties,
  public: Type.Boolean(),
  reference: Type.String(),
  command: Type.Array(Type.String()),
  prepared: Type.Object(
    {
      ready: Type.Integer({ description: "hosts that have it" }),
      pulling: Type.Integer({ description: "hosts that are pulling it" }),
      error: Type.Integer({ description: "hosts that cannot pull it" }),
      reason: Nullable(Type.String({ description: "why one of these cannot" })),
    },
    { description: "how far the hosts are with `prespawn`" },
  ),
  updated_at: Timestamp,
});
export type CatalogueImage = Static<typeof CatalogueImage>;

const QueryUsd = Type.String({
  pattern: "^[0-9]{1,12}(\\.[0-9]{1,4})?$",
  description: "US dollars from 0 to 999999999999, with four decimals at most",
});
const QueryRating = Type.String({
  pattern: "^([0-4](\\.[0-9]{1,4})?|5(\\.0{1,4})?)$",
  description: "a number from 0 to 5, with four decimals at most",
});
export const PUBLIC_IMAGES_SORT = sorting("-added_date", {
  alias: "text",
  added_date: "time",
  price: "integer",
  rating: "number",
});

/** Filters of `GET /api/v1/images/public`; an image must meet all given filters. */
export const PublicImagesQuery = Strict({
  os: Type.Optional(Name(64)),
  architecture: Type.Optional(Name(64)),
  min_price: Type.Optional(QueryUsd),
  max_price: Type.Optional(QueryUsd),
  min_rating: Type.Optional(QueryRating),
  max_rating: Type.Optional(QueryRating),
  search: Type.Optional(
    Type.Unsafe<string>({
      ...Line(200),
      description:
        "part of the name, the description or a tag, in upper or lower case; there are no wildcards",
    }),
  ),
  ...numberedQuery(IMAGES_PAGE, PUBLIC_IMAGES_SORT),
  ...sortByQuery(PUBLIC_IMAGES_SORT),
});
export type PublicImagesQuery = Static<typeof PublicImagesQuery>;

export const USER_IMAGES_SORT = sorting("-created_at", { created_at: "time", alias: "text" });
export const UserImagesQuery = Strict({
  ...numberedQuery(IMAGES_PAGE, USER_IMAGES_SORT),
  ...searchQuery("the alias"),
  ...sortByQuery(NEWEST_FIRST),
});
export type UserImagesQuery = Static<typeof UserImagesQuery>;

/** For administrators. */
export const CATALOGUE_PAGE = { standard: 50, max: 500 };
export const CATALOGUE_SORT = sorting("alias", { alias: "text", added_date: "time", price: "integer" });
/** Query of `GET /api/v1/admin/images`. */
export const CatalogueQuery = Strict({
  ...offsetQuery(CATALOGUE_PAGE, CATALOGUE_SORT),
  ...searchQuery("the alias"),
});

export const Rate = Strict({
  rating: Type.Number({ minimum: 0, maximum: 5, description: "rounded to the hundredth" }),
});

export const PublicImagesReply = Reply(
  Type.Object({ images: Type.Array(PublicImage), pagination: Pagination }),
);
export const PublicImageReply = Reply(PublicImageDetail);
export const UserImagesReply = Reply(Type.Object({ images: Type.Array(UserImage), pagination: Pagination }));
export const ImportReply = Reply(Type.Object({}));
export const PurchaseReply = Reply(
  Type.Object({
    price_paid: Type.Number({ description: "USD" }),
    remaining_balance: Type.Number({ description: "USD, after this purchase" }),
  }),
);
export const RateReply = Reply(
  Type.Object({
    new_rating: Type.Number(),
    average_rating: Type.Number(),
    rating_count: Type.Integer(),
  }),
);
export const CatalogueImageReply = Reply(CatalogueImage);
export const CatalogueImagesReply = Reply(
  Type.Object({
    images: Type.Array(CatalogueImage),
    total: Type.Integer(),
    pagination: CursorPagination,
  }),
);
export const IconReply = Type.Unsafe<Response>(
  Type.String({ contentMediaType: "image/png", description: "a PNG: the image's icon, or a placeholder" }),
);
