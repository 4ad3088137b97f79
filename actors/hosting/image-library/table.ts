import { integer, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { Library, OwnRating, Source } from "./rules.ts";

interface Purchase {
  readonly source: Source;
  readonly pricePaidCents: number;
  readonly transactionId: string | null;
  readonly createdAt: Date;
}

export const ownedImageTable = childTable<{ readonly imageId: string }, Purchase>("owned_images", {
  parent: "user_id",
  fields: { imageId: text("image_id") },
  extra: {
    source: text("source"),
    pricePaidCents: safeInteger("price_paid_cents"),
    transactionId: nullable(text("transaction_id")),
    createdAt: timestamp("created_at"),
  },
});

export const imageRatingTable = childTable<OwnRating & { readonly imageId: string }>("image_ratings", {
  parent: "user_id",
  fields: {
    imageId: text("image_id"),
    hundredths: integer("hundredths"),
    counted: nullable(integer("counted")),
    pendingSaga: nullable(text("pending_saga")),
    next: nullable(text("next")),
  },
});

export const imageLibraryTable = rootTable<Library>("image_libraries", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    owned: related(children(ownedImageTable), (images) => new Set(images.map(({ imageId }) => imageId))),
    acquiring: json("acquiring"),
    ratings: related(
      children(imageRatingTable),
      (ratings) => new Map(ratings.map(({ imageId, ...rating }) => [imageId, rating])),
    ),
  },
});
