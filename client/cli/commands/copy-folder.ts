import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix, resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { reply } from "../read.ts";
import { type Copied, fetchFile, type Remote, sendFile } from "./copy-file.ts";

/**
 * Folders travel as archives, which tar makes on one side and unpacks on the other, beside their place: a folder gets its name when it
 * is whole. `DIR/.` is what is in DIR. Nothing that is there is replaced.
 */

/** What the API lets a command take: an archive of some gigabytes. */
const TAR_SECONDS = 300;
const MARGIN_MS = 30_000;
const ARCHIVE = "berth-copy.tar";

/** Where an archive is in the container while it travels. */
const remoteArchive = () => `/tmp/.${crypto.randomUUID()}-${ARCHIVE}`;

/** The helpers of a container come last: an image may have no tar of its own. */
const PREPARE = 'set -e; PATH="$PATH:/.berth/bin"; archive=$1 target=$2 name=$3';

/** The place that the folder gets: as with cp, within a folder that is there. */
const PLACE = `${PREPARE}
has() { [ -e "$1" ] || [ -L "$1" ]; }
fail() { echo "$1 is there already" >&2; exit 1; }
[ "$name" != . ] && [ -d "$target" ] && target=\${target%/}/$name
[ "$name" = . ] || ! has "$target" || fail "$target"`;

const UNPACK = `${PLACE}
folder=$(mktemp -d "$(dirname "$target")/.berth-copy-XXXXXX")
trap 'rm -rf "$archive" "$folder"' EXIT
tar -xf "$archive" -C "$folder"
if [ "$name" != . ]; then
  mv "$folder/$name" "$target"
elif ! has "$target"; then
  chmod 755 "$folder"
  mv "$folder" "$target"
else
  cd "$folder"
  for one in * .[!.]*; do ! has "$one" || ! has "$target/$one" || fail "$target/$one"; done
  for one in * .[!.]*; do ! has "$one" || mv "$one" "$target/"; done
fi`;

const PACK = `${PREPARE}
[ -d "$target" ] || { echo "$target is no folder" >&2; exit 1; }
trap '[ -n "$done" ] || rm -f "$archive"' EXIT
if [ "$name" = . ]; then tar -cf "$archive" -C "$target" .
else tar -cf "$archive" -C "$(dirname "$target")" "$name"; fi
cd "$target"
find . -type f -exec stat -c %s {} + | {
  count=0 bytes=0
  while read -r size; do count=$((count + 1)) bytes=$((bytes + size)); done
  echo "$count $bytes"
}
done=yes`;

export async function uploadFolder(
  cli: Cli,
  from: string,
  { container, path }: Remote,
  user: string | undefined,
): Promise<Copied> {
  const id = await idOf(cli, NOUNS.container, container);
  const name = from.endsWith("/.") || from === "." ? "." : basename(resolve(from));
  const remote = remoteArchive();
  await run(cli, id, PLACE, [remote, path, name], user);
  const copied = await sizeOf(from);
  await withTemporary(async (folder) => {
    const archive = join(folder, ARCHIVE);
    await tar(
      name === "." ? ["-cf", archive, "-C", from, "."] : ["-cf", archive, "-C", dirname(resolve(from)), name],
    );
    try {
      await sendFile(cli, archive, { container: id, path: remote }, { user }, copied.bytes);
      cli.io.interrupted.throwIfAborted();
      await run(cli, id, UNPACK, [remote, path, name], user);
    } finally {
      await remove(cli, id, remote, user);
    }
  });
  return copied;
}

/** Of all files of a folder; a link counts as nothing, as it is copied as a link. */
async function sizeOf(folder: string): Promise<Copied> {
  let copied: Copied = { files: 0, bytes: 0 };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size } = await stat(join(entry.parentPath, entry.name));
    copied = { files: copied.files + 1, bytes: copied.bytes + size };
  }
  return copied;
}

export async function downloadFolder(
  cli: Cli,
  { container, path }: Remote,
  to: string,
  user: string | undefined,
): Promise<Copied> {
  const id = await idOf(cli, NOUNS.container, container);
  const name = path.endsWith("/.") ? "." : posix.basename(path);
  const target = name !== "." && (await isFolder(to)) ? join(to, name) : to;
  if (name !== "." && (await exists(target))) throw new Refused(`${target} is there already`);
  const remote = remoteArchive();
  const packed = await run(cli, id, PACK, [remote, path.replace(/\/+\.?$/, ""), name], user);
  const [files = 0, bytes = 0] = packed.trim().split(" ").map(Number);
  try {
    cli.io.interrupted.throwIfAborted();
    // Beside its place, so that it can be moved there.
    await withTemporary(
      async (folder) => {
        const archive = join(folder, ARCHIVE);
        await fetchFile(cli, { container: id, path: remote }, archive, user, bytes);
        await tar(["-xf", archive, "-C", folder, "--no-same-owner", "--no-same-permissions"]);
        await rm(archive);
        await place(folder, name, target);
      },
      dirname(resolve(target)),
    );
  } finally {
    await remove(cli, id, remote, user);
  }
  return { files, bytes };
}

async function place(folder: string, name: string, target: string): Promise<void> {
  if (name !== ".") return rename(join(folder, name), target);
  if (!(await exists(target))) return rename(folder, target);
  const names = await readdir(folder);
  for (const one of names)
    if (await exists(join(target, one))) throw new Refused(`${join(target, one)} is there already`);
  for (const one of names) await rename(join(folder, one), join(target, one));
}

async function withTemporary(act: (folder: string) => Promise<void>, parent = tmpdir()): Promise<void> {
  const folder = await mkdtemp(join(parent, ".berth-copy-"));
  try {
    await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws Refused with what tar says */
async function tar(words: readonly string[]): Promise<void> {
  // macOS would add a file of its own for each.
  const env = { ...process.env, COPYFILE_DISABLE: "1" };
  const program = Bun.spawn(["tar", ...words], { env, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(program.stderr).text();
  if ((await program.exited) !== 0) throw new Refused(said.trim());
}

/** Runs a script in the container. @returns what it prints @throws Refused with what it says */
async function run(
  cli: Cli,
  id: string,
  script: string,
  words: readonly string[],
  user: string | undefined,
): Promise<string> {
  const command = ["sh", "-c", script, "sh", ...words];
  const body = { command, timeout_seconds: TAR_SECONDS, ...(user === undefined ? {} : { user }) };
  const api = await cli.api(TAR_SECONDS * 1_000 + MARGIN_MS);
  const { data } = await reply(api.POST("/api/v1/containers/{id}/exec", { params: { path: { id } }, body }));
  if (data.exit_status === 0) return data.stdout;
  throw new Refused(
    data.timed_out ? `it takes longer than ${TAR_SECONDS} s` : data.stderr.trim() || "tar failed there",
  );
}

const remove = (cli: Cli, id: string, path: string, user: string | undefined) =>
  run(cli, id, 'rm -f "$1"', [path], user).catch(() => undefined);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
