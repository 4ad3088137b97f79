import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listCatalogue, readCatalogueImage } from "../../../actors/hosting/image/queries.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  CATALOGUE_PAGE,
  CATALOGUE_SORT,
  CatalogueImageReply,
  CatalogueImagesReply,
  CatalogueQuery,
  ChangeImage,
  CreateImage,
  ICON_BYTES_MAX,
  ICON_PIXELS_MAX,
} from "../../../schemas/hosting/image.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { orFail } from "../../http/or-fail.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

type Context = Pick<GatewayContext, "db" | "actors" | "credentials" | "newId">;

/** The operator's catalogue of images (design §3 "Operator's surface"). */
export const adminImageRoutes = (context: GatewayContext) => [images(context), icons(context)];

const reader =
  ({ db }: Context) =>
  async (id: string) => {
    const image = await readCatalogueImage(db, id);
    if (image === undefined) throw new DomainError("IMAGE_NOT_FOUND", "Image not found");
    return image;
  };

const images = (context: Context) => {
  const { db, actors, credentials, newId } = context;
  const read = reader(context);
  return new Elysia({ prefix: "/api/v1/admin/images", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      ({ query }) =>
        orFail("list images", async () => {
          const page = listPage("admin/images", query, CATALOGUE_PAGE, CATALOGUE_SORT);
          const { rows: images, total, next } = await listCatalogue(db, page);
          return ok("Images", { images, total, pagination: cursorPagination(page, next) });
        }),
      {
        query: CatalogueQuery,
        response: { 200: CatalogueImagesReply },
        detail: { summary: "All images, also those that are not public, by alias" },
      },
    )
    .post(
      "/",
      ({ caller, body, operation, operator }) =>
        orFail("add image", async () => {
          const id = actorIdFor("image", caller.userId, operation, newId);
          const { idempotency_key: _, ...image } = body;
          await actors.image(id).create({ ...image, operator }, operation);
          return created("Image added", await read(id));
        }),
      {
        body: CreateImage,
        response: { 201: CatalogueImageReply, ...errors("NAME_TAKEN", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Add an image to the catalogue",
          description:
            "The image is public unless `public` is false. The platform carries debian release 13.",
        },
      },
    )
    .patch(
      "/:id",
      ({ caller, params, body, operation, operator }) =>
        orFail("change image", async () => {
          await read(params.id);
          await actors.image(params.id).update({ ...body, operator }, operation.scopedTo(caller.userId));
          return ok("Image changed", await read(params.id));
        }),
      {
        params: IdParams,
        body: ChangeImage,
        response: { 200: CatalogueImageReply, ...errors("IMAGE_NOT_FOUND", "NAME_TAKEN") },
        detail: { summary: "Change an image; users who have it keep it, whatever it costs from now on" },
      },
    )
    .delete(
      "/:id",
      ({ caller, params, operation, operator }) =>
        orFail("delete image", async () => {
          const own = operation.scopedTo(caller.userId);
          const deleting = { kind: "image", actorId: params.id, op: "delete" };
          if (!(await hasOperationReceipt(db, own, deleting))) await read(params.id);
          await actors.image(params.id).delete({ operator }, own);
          return done("Image deleted");
        }),
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("IMAGE_NOT_FOUND") },
        detail: { summary: "Take an image out of the catalogue for good; users who have it keep it" },
      },
    );
};

const icons = (context: Context) => {
  const { actors, credentials } = context;
  const read = reader(context);
  return new Elysia({ prefix: "/api/v1/admin/images", detail: { tags: ["Administration"] } })
    .use(admin(credentials, { body: "bytes", bodyBytesMax: ICON_BYTES_MAX }))
    .put(
      "/:id/icon",
      ({ caller, params, body, operation, operator }) =>
        orFail("set image icon", async () => {
          await read(params.id);

          const png = Buffer.from((body as Uint8Array | undefined) ?? []).toString("base64");
          await actors.image(params.id).set_icon({ png, operator }, operation.scopedTo(caller.userId));
          return ok("Icon set", await read(params.id));
        }),
      {
        params: IdParams,
        body: Type.Optional(Type.Uint8Array()),
        response: { 200: CatalogueImageReply, ...errors("INVALID_ICON_FORMAT", "IMAGE_NOT_FOUND") },
        detail: {
          summary: "Give an image its icon",
          description: `The body is a PNG of at most ${ICON_BYTES_MAX / 1024} KiB and ${ICON_PIXELS_MAX} × ${ICON_PIXELS_MAX} pixels.`,
        },
      },
    );
};
