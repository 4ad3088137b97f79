import {
  bigint,
  boolean,
  bytes,
  group,
  json,
  nullable,
  safeInteger,
  text,
  timestamp,
} from "../../runtime/columns.ts";
import { childTable, related, rootTable } from "../../runtime/table.ts";
import { readIconsOf } from "./queries.ts";
import { type Image, searchText } from "./rules.ts";

export interface Icon {
  readonly png: Uint8Array;
  readonly etag: string;
  readonly updatedAt: Date;
}

export const imageIconTable = childTable<Icon>("image_icons", {
  parent: "image_id",
  fields: { png: bytes("png"), etag: text("etag"), updatedAt: timestamp("updated_at") },
});

export const imageTable = rootTable<Image>("images", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    alias: text("alias"),
    description: text("description"),
    imageName: text("image_name"),
    architecture: text("architecture"),
    os: text("os"),
    release: text("release"),
    variant: text("variant"),
    serial: text("serial"),
    size: safeInteger("size"),
    priceCents: bigint("price_cents"),
    tags: json("tags"),
    isPublic: boolean("public"),
    prespawn: boolean("prespawn"),
    reference: nullable(text("reference")),
    command: json("command"),
    ratings: group({ sum: safeInteger("rating_sum"), count: safeInteger("rating_count") }),
    // The actor only needs to know whether there is an icon.
    hasIcon: related({ load: readIconsOf }, (icons) => icons.length > 0),
    deletedAt: nullable(timestamp("deleted_at")),
    createdAt: timestamp("created_at"),
  },
  derived: { search_text: searchText },
});
