import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { ContainerExit } from "../../schemas/hosting/container.ts";
import { DesiredContainer, DesiredFirewall } from "../../schemas/hosting/desired.ts";
import { DIGEST } from "../../schemas/hosting/image-reference.ts";
import { Id, Nullable } from "../../schemas/primitives.ts";
import { writeAtomically } from "../../system/atomic-file.ts";
import { ProcessIdentity } from "../../system/process-identity.ts";
import { ImagePrograms } from "../containers/images/programs.ts";
import { Trash } from "./trash.ts";

/** The image of a container, with the data that is needed without the image itself. */
const ResolvedImage = Type.Object({
  digest: Type.String({ pattern: DIGEST.source }),
  bytes: Type.Integer(),
  stop_signal: Nullable(Type.Integer()),
  exposed_ports: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  /** Absent in records from before images could declare programs. */
  programs: Type.Optional(ImagePrograms),
});

/** The stored record of a container: enough to start it after a reboot without a control plane. */
export const ContainerRecord = Type.Object({
  id: Id,
  /** Its last desired state. */
  desired: DesiredContainer,
  address: Type.String(),
  /** The generation for which init was started. */
  generation: Type.Integer(),
  /** Null: not started, or stopped by request. */
  init: Nullable(ProcessIdentity),
  /** The storage shares that it was started with. */
  shares: Type.Optional(Type.Array(Id)),
  /** The desired revision with which it was started last. */
  started_revision: Type.Optional(Type.Integer()),
  /** How its last run ended. */
  exit: Type.Optional(ContainerExit),
  /** The generation that has ended and is not started again, by its restart policy. */
  finished: Type.Optional(Type.Integer()),
  /** How often it was started again in its generation, and how often in a row. */
  restarts: Type.Optional(Type.Integer()),
  retries: Type.Optional(Type.Integer()),
  /** The image to which its reference was resolved first. It stays the same even if the tag moves. */
  image: Type.Optional(ResolvedImage),
  /** The applied rules; null before the first. The expected kernel table follows from them. */
  firewall: Nullable(Type.Object({ desired: DesiredFirewall })),
});
export type ContainerRecord = Static<typeof ContainerRecord>;

const STATE = "state.json";
/** Beside the containers' folders, so that a move is a rename. No id has this form. */
const REMOVED = ".removed";

/** The records, each in a folder: `<data>/containers/<id>/state.json`. Only root can read them. */
export class StateStore {
  readonly #folder: string;
  readonly #trash: Trash;

  constructor(data: string) {
    this.#folder = resolve(data, "containers");
    this.#trash = new Trash(join(this.#folder, REMOVED));
  }

  /** A container's folder, absolute. */
  folder(id: string): string {
    return join(this.#folder, id);
  }

  /** All records. A record that cannot be read is logged and left alone: the control plane still has its desired state. */
  async load(log: Logger): Promise<ContainerRecord[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const records: ContainerRecord[] = [];
    for (const id of await readdir(this.#folder)) {
      if (id === REMOVED) continue;
      try {
        const record: unknown = JSON.parse(await readFile(join(this.folder(id), STATE), "utf8"));
        if (!Value.Check(ContainerRecord, record) || record.id !== id) throw new Error("it has another form");
        records.push(record);
      } catch (error) {
        log.error({ container: id, error: String(error) }, "a container's record cannot be read");
      }
    }
    return records;
  }

  /** Replaces a record, durably. A container must have one writer at a time. */
  async save(record: ContainerRecord): Promise<void> {
    const folder = this.folder(record.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomically(join(folder, STATE), `${JSON.stringify(record)}\n`);
  }

  /** Moves a container's folder with its record and files to the trash in one step; `emptyTrash` removes them. The id is free at once. */
  remove(id: string): Promise<void> {
    return this.#trash.discard(this.folder(id));
  }

  /** Removes the files of deleted containers, however long that takes. */
  emptyTrash(log: Logger): Promise<void> {
    return this.#trash.empty(log);
  }
}
