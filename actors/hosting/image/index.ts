import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { AddImage, ChangeImage } from "../../../schemas/hosting/image.ts";
import { Strict } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { assertIcon } from "./png.ts";
import { added, assertCarried, assertPrespawnable, averageOf, changed, type Image } from "./rules.ts";
import { imageIconTable, imageTable } from "./table.ts";

type State = Image | null;
type Ctx = Context<State>;

const Nothing = Type.Object({});
/** The present price of an image. */
export const Quote = Type.Object({ alias: Type.String(), price_cents: Type.Integer() });
/** A new or changed rating of one user. In hundredths. */
const RatedInput = Strict({ sum_delta: Type.Integer(), count_delta: Type.Integer() });
export const Rated = Type.Object({ average: Type.Number(), count: Type.Integer() });
const IconInput = Strict({ png: Type.String({ description: "base64" }) });

/** Images of the catalogue. Keyed by image. */
export const imageActor = actor("image", {
  table: imageTable,
  empty: (): State => null,
  conflicts: { images_alias: { code: "NAME_TAKEN", message: "there is an image of this alias" } },
  on: {
    create: operatorCommand(AddImage, Nothing, (image: State, input, ctx: Ctx, operator) => {
      if (image !== null) return {};
      assertCarried(input);
      const made = added(input, ctx.now);
      assertPrespawnable(made);
      ctx.setState(made);
      recordPrivilegedAct(ctx, operator, { act: "image_added", resourceId: ctx.actorId, data: input });
      return {};
    }),

    /** Changes the image, by an operator. Users who have it keep it. */
    update: operatorCommand(ChangeImage, Nothing, (state: State, input, ctx: Ctx, operator) => {
      const image = changed(requireImage(state), input);
      if (input.os !== undefined || input.release !== undefined) assertCarried(image);
      if (input.prespawn !== undefined || input.reference !== undefined) assertPrespawnable(image);
      ctx.setState(image);
      recordPrivilegedAct(ctx, operator, { act: "image_updated", resourceId: ctx.actorId, data: input });
      return {};
    }),

    set_icon: operatorCommand(IconInput, Nothing, (state: State, input, ctx: Ctx, operator) => {
      const image = requireImage(state);
      const png = Buffer.from(input.png, "base64");
      assertIcon(png);
      const etag = createHash("sha256").update(png).digest("hex").slice(0, 32);
      const row = imageIconTable.row(ctx.actorId, { png, etag, updatedAt: ctx.now });
      if (image.hasIcon) ctx.update("image_icons", row);
      else ctx.insert("image_icons", row);
      ctx.setState({ ...image, hasIcon: true });
      recordPrivilegedAct(ctx, operator, { act: "image_icon_set", resourceId: ctx.actorId, data: { etag } });
      return {};
    }),

    /** Removes the image from the catalogue for good. Users who have it keep it. */
    delete: operatorCommand(Nothing, Nothing, (state: State, _input, ctx: Ctx, operator) => {
      const image = requireImage(state);
      ctx.setState({ ...image, deletedAt: ctx.now });
      const data = { alias: image.alias };
      recordPrivilegedAct(ctx, operator, { act: "image_deleted", resourceId: ctx.actorId, data });
      return {};
    }),

    /** Replies with the present price. */
    quote: command(Nothing, Quote, (state: State) => {
      const image = requireImage(state);
      if (!image.isPublic) throw notFound();
      return { alias: image.alias, price_cents: Number(image.priceCents) };
    }),

    /** Counts a new or changed rating from a user's library. Users who have a removed image may still rate it. */
    rate: command(RatedInput, Rated, (image: State, input, ctx: Ctx) => {
      if (image === null) throw notFound();
      const { sum, count } = image.ratings;
      const ratings = { sum: sum + input.sum_delta, count: count + input.count_delta };
      ctx.setState({ ...image, ratings });
      return { average: averageOf(ratings), count: ratings.count };
    }),
  },
});

const notFound = () => new DomainError("IMAGE_NOT_FOUND", "Image not found");

function requireImage(image: State): Image {
  if (image === null || image.deletedAt !== null) throw notFound();
  return image;
}
