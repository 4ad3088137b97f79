import { Type } from "@sinclair/typebox";
import { Amount, Strict } from "../../schemas/primitives.ts";
import { toCents } from "../money.ts";
import { actor, type Context, command } from "../runtime/definition.ts";
import { type Image, loadImages } from "./queries.ts";

type State = Image | null;

const text = Type.String({ minLength: 1, maxLength: 500 });
const AddInput = Strict({
  alias: text,
  description: text,
  image_name: text,
  architecture: text,
  os: text,
  release: text,
  variant: text,
  price: Amount,
  command: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 64 }),
});

/** All that can happen to an image of the catalogue. Keyed by image. */
export const imageActor = actor("image", {
  table: "images",
  key: "id",
  load: loadImages,
  empty: (): State => null,
  row: (image, id, now) =>
    image && {
      id,
      alias: image.alias,
      description: image.description,
      image_name: image.imageName,
      architecture: image.architecture,
      os: image.os,
      release: image.release,
      variant: image.variant,
      price_cents: image.priceCents,
      command: image.command,
      created_at: image.createdAt,
      updated_at: now,
    },
  conflicts: { images_alias: { code: "NAME_TAKEN", message: "there is an image of this alias" } },
  on: {
    add: command(AddInput, Type.Object({}), (image: State, input, ctx: Context<State>) => {
      if (image !== null) return {};
      ctx.become({
        alias: input.alias,
        description: input.description,
        imageName: input.image_name,
        architecture: input.architecture,
        os: input.os,
        release: input.release,
        variant: input.variant,
        priceCents: toCents(input.price),
        command: input.command,
        createdAt: ctx.now,
      });
      return {};
    }),
  },
});
