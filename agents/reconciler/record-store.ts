import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { type PreparedFile, prepareFile } from "../../system/atomic-file.ts";
import { Trash } from "./trash.ts";

const STATE = "state.json";
/** Beside the folders of the records, so that a move is a rename. No id has this form. */
const REMOVED = ".removed";

/** Records of one kind, each in a folder with its files: `<data>/<folder>/<id>/state.json`. Only root can read them. */
export class RecordStore<Item extends { id: string }> {
  readonly #folder: string;
  readonly #trash: Trash;

  /** @param kind what a record is of, in words for the log */
  constructor(
    data: string,
    folder: string,
    private readonly schema: TSchema & { readonly static: Item },
    private readonly kind: string,
  ) {
    this.#folder = resolve(data, folder);
    this.#trash = new Trash(join(this.#folder, REMOVED));
  }

  /** The folder of an id, absolute. */
  folder(id: string): string {
    return join(this.#folder, id);
  }

  /** All records. A record that cannot be read is logged and left alone: the control plane still has its desired state. */
  async load(log: Logger): Promise<Item[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const records: Item[] = [];
    for (const id of await readdir(this.#folder)) {
      if (id === REMOVED) continue;
      try {
        const record: unknown = JSON.parse(await readFile(join(this.folder(id), STATE), "utf8"));
        if (!this.#isRecord(record) || record.id !== id) throw new Error("it has another form");
        records.push(record);
      } catch (error) {
        log.error({ id, error: String(error) }, `the record of a ${this.kind} cannot be read`);
      }
    }
    return records;
  }

  #isRecord(value: unknown): value is Item {
    return Value.Check(this.schema, value);
  }

  /** Replaces a record, durably. A record must have one writer at a time. */
  async save(record: Item): Promise<void> {
    await (await this.prepare(record)).replace();
  }

  /** The first half of `save`: on disk, and not the record yet. */
  async prepare(record: Item): Promise<PreparedFile> {
    const folder = this.folder(record.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return prepareFile(join(folder, STATE), `${JSON.stringify(record)}\n`);
  }

  /** Moves a folder with its record and files to the trash in one step; `emptyTrash` removes them. The id is free at once. */
  remove(id: string): Promise<void> {
    return this.#trash.discard(this.folder(id));
  }

  /** Removes the files of what was deleted, however long that takes. */
  emptyTrash(log: Logger): Promise<void> {
    return this.#trash.empty(log);
  }
}
