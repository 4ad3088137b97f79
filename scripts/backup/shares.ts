import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pino } from "pino";
import { ShareFiles } from "../../agents/containers/volumes/share-files.ts";
import { run } from "../../agents/exec/command.ts";
import { type ShareRecord, shareStore } from "../../agents/reconciler/share-store.ts";
import { agentFolder } from "./kept-files.ts";
import { type BackupShare, shareFile } from "./manifest.ts";

/** A share of a hundred gigabytes on a slow disk is copied in that time. */
const COPY_MS_MAX = 6 * 60 * 60 * 1_000;
/** The share's record, as the agent reads it. */
const RECORD = "state.json";

/**
 * Copies the storage shares that lie on this machine, each by a snapshot: containers may go on writing, and what is copied is one moment of
 * the share. Snapshots that users made are not copied.
 */
export async function backUpShares(
  data: string,
  folder: string,
  interrupted: AbortSignal,
): Promise<BackupShare[]> {
  const agent = agentFolder(data);
  if (!existsSync(join(agent, "shares"))) return [];
  mkdirSync(join(folder, "shares"), { mode: 0o700 });
  const store = shareStore(agent);
  const shares: BackupShare[] = [];
  for (const record of await store.load(pino({ level: "silent" }))) {
    interrupted.throwIfAborted();
    if (record.kind === null) continue;
    const home = store.folder(record.id);
    await copyShare(record, record.kind, home, join(folder, shareFile(record.id)));
    shares.push({ id: record.id, kind: record.kind, folder: relative(data, home) });
  }
  return shares;
}

async function copyShare(
  { id }: ShareRecord,
  kind: BackupShare["kind"],
  home: string,
  file: string,
): Promise<void> {
  const files = new ShareFiles(home, kind === "disk");
  // No user's snapshot has this name: theirs are ids.
  const snapshot = `backup-${process.pid}`;
  await files.snapshot(kind, snapshot);
  try {
    const copied = join("snapshots", snapshot);
    await tar(
      ["--create", `--file=${file}`, "--sparse", `--transform=s,^${copied},${contentOf(kind)},`],
      home,
      [RECORD, copied],
    );
  } finally {
    await files.dropSnapshot(snapshot);
  }
  if (!existsSync(file)) throw new Error(`the storage share ${id} was not copied`);
}

/** Puts the shares of a backup where the agent finds them. */
export async function restoreShares(
  shares: readonly BackupShare[],
  folder: string,
  data: string,
): Promise<void> {
  for (const { id, folder: inner } of shares) {
    const home = join(data, inner);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    await tar(["--extract", `--file=${join(folder, shareFile(id))}`, "--sparse"], home, []);
  }
}

const contentOf = (kind: BackupShare["kind"]) => (kind === "disk" ? "disk.img" : "data");

/** With the users' and groups' numbers: the users of containers have no names here. */
async function tar(options: readonly string[], home: string, words: readonly string[]): Promise<void> {
  const always = ["--gzip", "--numeric-owner", "--xattrs", `--directory=${home}`];
  await run(["tar", ...always, ...options, ...words], undefined, COPY_MS_MAX);
}
