import { type Static, Type } from "@sinclair/typebox";
import { DesiredShare } from "../../schemas/hosting/desired.ts";
import { Id, Nullable } from "../../schemas/primitives.ts";
import { RecordStore } from "./record-store.ts";

/** The stored record of a storage share. */
export const ShareRecord = Type.Object({
  id: Id,
  /** Its last desired state. */
  desired: DesiredShare,
  /** How its files are kept; null: they are not made yet. */
  kind: Nullable(Type.Union([Type.Literal("disk"), Type.Literal("folder")])),
  size_bytes: Nullable(Type.Integer()),
  used_bytes: Nullable(Type.Integer()),
  snapshots: Type.Array(Type.Object({ id: Id, bytes: Type.Integer() })),
  /** The last restore that was done. */
  restored: Nullable(Id),
});
export type ShareRecord = Static<typeof ShareRecord>;

export type ShareStore = RecordStore<ShareRecord>;

/** The records of storage shares, with the shares' files. */
export const shareStore = (data: string): ShareStore =>
  new RecordStore(data, "shares", ShareRecord, "storage share");
