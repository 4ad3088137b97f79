import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { DesiredShare } from "../../schemas/hosting/desired.ts";
import { Id, Nullable } from "../../schemas/primitives.ts";
import { writeAtomically } from "../../system/atomic-file.ts";
import { Trash } from "./trash.ts";

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

const STATE = "state.json";
/** Beside the shares' folders, so that a move is a rename. No id has this form. */
const REMOVED = ".removed";

/** The records of storage shares, each in a folder with the share's files: `<data>/shares/<id>/state.json`. */
export class ShareStore {
  readonly #folder: string;
  readonly #trash: Trash;

  constructor(data: string) {
    this.#folder = resolve(data, "shares");
    this.#trash = new Trash(join(this.#folder, REMOVED));
  }

  /** A share's folder, absolute. */
  folder(id: string): string {
    return join(this.#folder, id);
  }

  /** All records. A record that cannot be read is logged and left alone: the control plane still has its desired state. */
  async load(log: Logger): Promise<ShareRecord[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const records: ShareRecord[] = [];
    for (const id of await readdir(this.#folder)) {
      if (id === REMOVED) continue;
      try {
        const record: unknown = JSON.parse(await readFile(join(this.folder(id), STATE), "utf8"));
        if (!Value.Check(ShareRecord, record) || record.id !== id) throw new Error("it has another form");
        records.push(record);
      } catch (error) {
        log.error({ share: id, error: String(error) }, "a storage share's record cannot be read");
      }
    }
    return records;
  }

  /** Replaces a record, durably. */
  async save(record: ShareRecord): Promise<void> {
    const folder = this.folder(record.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomically(join(folder, STATE), `${JSON.stringify(record)}\n`);
  }

  /** Moves a share with its files to the trash in one step. */
  remove(id: string): Promise<void> {
    return this.#trash.discard(this.folder(id));
  }

  /** Removes the files of deleted shares, however long that takes. */
  emptyTrash(log: Logger): Promise<void> {
    return this.#trash.empty(log);
  }
}
