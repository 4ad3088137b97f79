import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { SetupError } from "../setup-error.ts";

/** What a backup consists of: `manifest.json` in its folder. */

const FORMAT = 1;
export const MANIFEST = "manifest.json";

/** A path within a folder, and never out of it. */
const InnerPath = Type.String({ pattern: "^(?!/)(?!.*(^|/)\\.\\.?(/|$)).+$" });
const Name = Type.String({ pattern: "^[A-Za-z0-9_.-]+$" });

const Database = Type.Object({
  server_version: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), sha256: Type.String() })),
  event_months: Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-01T00:00:00Z$" })),
  tables: Type.Array(
    Type.Object({ name: Name, columns: Type.Array(Type.String()), rows: Type.Integer({ minimum: 0 }) }),
  ),
});

const Share = Type.Object({
  id: Type.String({ pattern: "^[0-9a-f]{24}$" }),
  kind: Type.Union([Type.Literal("disk"), Type.Literal("folder")]),
  /** The share's folder, within the data folder. */
  folder: InnerPath,
});
export type BackupShare = Static<typeof Share>;

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  made_at: Type.String(),
  /** Of Berth. */
  version: Type.String(),
  machine: Type.String(),
  /** Null on a machine that is only a host. */
  database: Type.Union([Database, Type.Null()]),
  /** Files that a restore puts into the data folder, by their paths there. */
  files: Type.Array(Type.Object({ path: InnerPath, mode: Type.Integer() })),
  shares: Type.Array(Share),
});
export type Manifest = Static<typeof Manifest>;

export const newManifest = (parts: Omit<Manifest, "format" | "made_at">): Manifest => ({
  format: FORMAT,
  made_at: new Date().toISOString(),
  ...parts,
});

/** Where the parts are in a backup. */
export const tableFile = (table: string) => `database/${table}.jsonl.gz`;
export const keptFile = (path: string) => `files/${path}`;
export const shareFile = (id: string) => `shares/${id}.tar.gz`;

/** @throws SetupError when a newer Berth made it */
export async function readManifest(folder: string): Promise<Manifest> {
  const value: unknown = await Bun.file(join(folder, MANIFEST)).json();
  if (Value.Check(Manifest, value)) return value;
  throw new SetupError(`${join(folder, MANIFEST)} has another form: a newer version of Berth made it`);
}
