import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readGeneralBalance } from "../../../actors/billing/wallet/queries.ts";
import {
  listPublicImages,
  listUserImages,
  readIcon,
  readPriceCents,
  readPublicImage,
} from "../../../actors/hosting/image/queries.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  ICON_ID,
  IconReply,
  IMAGES_PAGE,
  ImportReply,
  PUBLIC_IMAGES_SORT,
  PublicImageReply,
  PublicImagesQuery,
  PublicImagesReply,
  PurchaseReply,
  Rate,
  RateReply,
  USER_IMAGES_SORT,
  UserImagesQuery,
  UserImagesReply,
} from "../../../schemas/hosting/image.ts";
import { IdParams, Strict } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { conditional, type Representation } from "../../http/conditional.ts";
import { errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { orFail } from "../../http/or-fail.ts";
import { numberedPage, numberedPagination, ownList } from "../../http/paging.ts";
import type { Operation } from "../../idempotency.ts";

type LibraryOp = "import" | "purchase" | "rate";

const IconParams = Strict({
  id: Type.String({
    description: "24 hexadecimal characters; any other answers 422",
    examples: ["0".repeat(24)],
  }),
});

/** An icon may change, and its image may leave the catalogue; clients may show an old icon for this long. */
const ICON_CACHE = "private, max-age=60";
const PNG = "image/png";

/** The catalogue of container images, and each user's library (spec, control plane §4.10). */
export const imageRoutes = ({ db, actors, credentials }: GatewayContext) => {
  /** The present price of an image. @throws IMAGE_NOT_FOUND for one that the user may not see */
  const priceOf = async (userId: string, id: string) => {
    const cents = await readPriceCents(db, userId, id);
    if (cents === undefined) throw new DomainError("IMAGE_NOT_FOUND", "Image not found");
    return cents;
  };

  const wasDone = (op: LibraryOp, userId: string, operation: Operation) =>
    hasOperationReceipt(db, operation, { kind: "image_library", actorId: userId, op });

  /** The present price, or zero for a repeated key: then nothing is charged, and the image may be gone. */
  const priceUnlessDone = async (op: LibraryOp, userId: string, id: string, operation: Operation) =>
    (await wasDone(op, userId, operation)) ? 0 : priceOf(userId, id);

  /** Buying and importing share an image's state, so a key that was used for the one is refused for the other. */
  const refuseKeyOf = async (op: LibraryOp, userId: string, operation: Operation) => {
    if (await wasDone(op, userId, operation)) {
      throw new DomainError("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
    }
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read"))
    .get(
      "/public",
      ({ query }) =>
        orFail("list public images", async () => {
          const filter = filterOf(query);
          const page = numberedPage(
            "images/public",
            ascendingByAlias(query),
            IMAGES_PAGE,
            PUBLIC_IMAGES_SORT,
          );
          const { rows: images, total, next } = await listPublicImages(db, filter, page);
          return ok("Public images", { images, pagination: numberedPagination(page, next, total) });
        }),
      {
        query: PublicImagesQuery,
        response: { 200: PublicImagesReply },
        detail: {
          summary: "The catalogue: images that meet all filters",
          description:
            "Without `sort_order`, aliases are sorted in ascending order and everything else in descending order: the newest, most expensive or best rated first. An image without ratings has the rating 0.",
        },
      },
    )
    .get(
      "/public/:id",
      ({ params }) =>
        orFail("get public image", async () => {
          const image = await readPublicImage(db, params.id);
          if (image === undefined) throw new DomainError("IMAGE_NOT_FOUND", "Public image not found");
          return ok("Public image", image);
        }),
      {
        params: IdParams,
        response: { 200: PublicImageReply, ...errors("IMAGE_NOT_FOUND") },
        detail: { summary: "An image of the catalogue, with its serial" },
      },
    )
    .get(
      "/:id/icon",
      ({ params, request }) =>
        orFail("get image icon", async () => {
          if (!ICON_ID.test(params.id)) {
            throw new DomainError("INVALID_IMAGE_ID", "path.id: must be 24 hexadecimal characters", {
              field: "path.id",
            });
          }
          const icon = await readIcon(db, params.id);
          if (icon === undefined) return conditional(request, await placeholder());
          const { png, etag, updatedAt } = icon;
          return conditional(request, {
            body: png,
            contentType: PNG,
            etag,
            lastModified: updatedAt,
            cacheControl: ICON_CACHE,
          });
        }),
      {
        params: IconParams,
        response: { 200: IconReply, ...errors("INVALID_ICON_FORMAT", "INVALID_IMAGE_ID") },
        detail: {
          summary: "An image's icon, or a placeholder: always a PNG",
          "x-no-example": "the reply is a picture",
          description:
            "The placeholder is sent for an image that has no icon, is not public, or does not exist. The reply has `ETag` and `Last-Modified`; " +
            "a client that has the icon already gets 304.",
        },
      },
    )
    .get(
      "/user",
      ({ caller, query }) =>
        orFail("list user images", async () => {
          const page = numberedPage(ownList("images/user", caller), query, IMAGES_PAGE, USER_IMAGES_SORT);
          const { rows: images, total, next } = await listUserImages(db, caller.userId, page);
          return ok("Your images", { images, pagination: numberedPagination(page, next, total) });
        }),
      {
        query: UserImagesQuery,
        response: { 200: UserImagesReply },
        detail: { summary: "Images that you have imported or purchased, the newest first" },
      },
    );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write"))
    .post(
      "/import/:id",
      ({ caller, params, operation }) =>
        orFail("import image", async () => {
          await refuseKeyOf("purchase", caller.userId, operation);
          await priceUnlessDone("import", caller.userId, params.id, operation);
          await actors.image_library(caller.userId).import({ image_id: params.id }, operation);
          return ok("Image imported", {});
        }),
      {
        params: IdParams,
        response: {
          200: ImportReply,
          ...errors("IMAGE_NOT_FREE", "IMAGE_ALREADY_OWNED", "IMAGE_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: { summary: "Import a free image" },
      },
    )
    .post(
      "/rate/:id",
      ({ caller, params, body, operation }) =>
        orFail("rate image", async () => {
          await priceUnlessDone("rate", caller.userId, params.id, operation);
          const input = { image_id: params.id, hundredths: Math.round(body.rating * 100) };
          const { value } = await actors.image_library(caller.userId).rate(input, operation);
          return ok("Image rated", {
            new_rating: value.rating,
            average_rating: value.average,
            rating_count: value.count,
          });
        }),
      {
        params: IdParams,
        body: Rate,
        response: { 200: RateReply, ...errors("IMAGE_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Rate an image, or change your rating of it",
          description:
            "Any image of the catalogue, and those that you have. A user has one rating of an image.",
        },
      },
    );

  const buying = new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/purchase/:id",
    ({ caller, params, operation }) =>
      orFail("purchase image", async () => {
        await refuseKeyOf("import", caller.userId, operation);
        const max_price_cents = await priceUnlessDone("purchase", caller.userId, params.id, operation);
        const input = { image_id: params.id, max_price_cents };
        const { value } = await actors.image_library(caller.userId).purchase(input, operation);
        const balance =
          value.general_balance ?? (await readGeneralBalance(db, caller.userId))?.general_balance ?? "0";
        return ok("Image purchased", {
          price_paid: value.price_cents / 100,
          remaining_balance: Number(balance),
        });
      }),
    {
      params: IdParams,
      response: {
        200: PurchaseReply,
        ...errors(
          "INSUFFICIENT_BALANCE",
          "IMAGE_ALREADY_OWNED",
          "IMAGE_NOT_FOUND",
          "CHARGE_EXCEEDS_MAX",
          "IDEMPOTENCY_KEY_REUSED",
        ),
      },
      detail: {
        summary: "Buy an image from the general balance",
        description:
          "The price is the one that the catalogue shows when the request arrives, or less. When the price rises at that moment, the reply is " +
          "CHARGE_EXCEEDS_MAX with `total_cents`, and nothing is charged. An image is bought once, also when its price changes afterwards.",
      },
    },
  );

  return new Elysia({ prefix: "/api/v1/images", detail: { tags: ["Images"] } })
    .use(reading)
    .use(writing)
    .use(buying);
};

const filterOf = (query: PublicImagesQuery) => ({
  os: query.os,
  architecture: query.architecture,
  minPrice: query.min_price,
  maxPrice: query.max_price,
  minRating: query.min_rating,
  maxRating: query.max_rating,
  search: query.search,
});

/** A query that says `sort_by=alias` and no more lists aliases in ascending order. */
const ascendingByAlias = (query: PublicImagesQuery): PublicImagesQuery =>
  query.sort_by === "alias" ? { sort_order: "asc", ...query } : query;

let placeholderIcon: Promise<Representation> | undefined;

function placeholder(): Promise<Representation> {
  placeholderIcon ??= readPlaceholder();
  return placeholderIcon;
}

async function readPlaceholder(): Promise<Representation> {
  const body = await Bun.file(new URL("./placeholder-icon.png", import.meta.url)).bytes();
  return {
    body,
    contentType: PNG,
    etag: new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32),
    // A fixed date, so that all gateways send the same.
    lastModified: new Date("2026-01-01T00:00:00.000Z"),
    cacheControl: ICON_CACHE,
  };
}
