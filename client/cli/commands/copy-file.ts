import { posix } from "node:path";
import { counted } from "../../transfers.ts";
import type { Cli } from "../cli.ts";
import { Entrance } from "../edge/entrance.ts";
import { progressLine } from "../edge/progress.ts";
import { type RemoteFile, saveResuming } from "../edge/resume.ts";
import { eachChunk, replacing } from "../edge/save.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";

/** How one file travels. */

export interface Remote {
  readonly container: string;
  readonly path: string;
}

/** What was copied, in the sizes of the files themselves. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

const SESSIONS = "/api/v1/terminal/sessions";
/** Beside the numbers that people give to sessions of their own. */
const SESSION = { min: 60_000, max: 65_535 } as const;

/** Saves a file of a container. @param shownBytes what a person is told of its size @returns as many @throws BerthError FILE_NOT_FOUND, also for a folder */
export async function fetchFile(
  cli: Cli,
  { container, path }: Remote,
  file: string,
  user: string | undefined,
  shownBytes?: number,
): Promise<number> {
  const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, container));
  const isQuiet = Boolean(cli.options().quiet);
  // The container's root reads it where no user is named, and then it can be had in parts.
  const remote = user === undefined ? await remoteFile(entrance, path) : undefined;
  if (remote !== undefined) {
    const shown = shownBytes ?? remote.size;
    const progress = progressLine(cli.io, isQuiet, shown, shown / remote.size);
    await saveResuming(cli, remote, file, progress);
    return progress.end();
  }
  return withSession(entrance, "/", user, async (files) => {
    const query = new URLSearchParams({ path });
    const response = await entrance.request("terminal", `${files}?${query}`, { signal: cli.io.interrupted });
    const progress = progressLine(cli.io, isQuiet, shownBytes ?? null);
    await replacing(file, (draft) => eachChunk(response, progress.show, (chunk) => draft.writeFile(chunk)));
    return shownBytes === undefined ? progress.end() : shownBytes;
  });
}

/** Undefined for what has no bytes that can be counted: a folder, a file of the kernel, or nothing. */
async function remoteFile(entrance: Entrance, path: string): Promise<RemoteFile | undefined> {
  const address = `/files${posix.normalize(path).split("/").map(encodeURIComponent).join("/")}`;
  const signal = entrance.cli.io.interrupted;
  const part = (from: number, version?: string) =>
    entrance.ask("terminal", address, {
      headers: { range: `bytes=${from}-`, ...(version === undefined ? {} : { "if-range": version }) },
      signal,
    });
  const first = await part(0);
  const size = Number(/\/(\d+)$/.exec(first.headers.get("content-range") ?? "")?.[1] ?? 0);
  if (first.status !== 206 || size === 0) {
    await first.body?.cancel();
    return undefined;
  }
  return { size, version: first.headers.get("last-modified") ?? "", first, rest: part };
}

/** How a file is written into a container. */
export interface Writing {
  /** Of the container; its root unless given. */
  readonly user: string | undefined;
  /** Whether it may take the place of one that is there. */
  readonly replaces?: boolean | undefined;
}

/** Sends a file. It gets its name when it is whole. @returns how many bytes a person is told */
export async function sendFile(
  cli: Cli,
  from: string,
  { container, path }: Remote,
  { user, replaces = false }: Writing,
  shownBytes?: number,
): Promise<number> {
  const file = Bun.file(from);
  const total = (await file.stat()).size;
  const shown = shownBytes ?? total;
  const progress = progressLine(cli.io, Boolean(cli.options().quiet), shown, total === 0 ? 1 : shown / total);
  const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, container));
  return withSession(entrance, posix.dirname(path), user, async (files) => {
    const query = new URLSearchParams({
      name: posix.basename(path),
      ...(replaces ? { replace: "true" } : {}),
    });
    await entrance.request("terminal", `${files}?${query}`, {
      method: "PUT",
      headers: { "content-length": String(total) },
      body: file.stream().pipeThrough(counted(total, ({ bytes: sent }) => progress.show(sent))),
      duplex: "half",
      signal: cli.io.interrupted,
    } as RequestInit);
    return progress.end();
  });
}

/** Files of a user travel beside a terminal session: one of its own that ends with the copy. */
async function withSession<Result>(
  entrance: Entrance,
  directory: string,
  user: string | undefined,
  act: (files: string) => Promise<Result>,
): Promise<Result> {
  const id = SESSION.min + Math.floor(Math.random() * (SESSION.max - SESSION.min));
  const query = new URLSearchParams({
    terminal_id: String(id),
    cwd: directory,
    ...(user === undefined ? {} : { user }),
  });
  const opened = await entrance.request("terminal", `/?${query}`, { headers: { accept: "text/html" } });
  await opened.body?.cancel();
  try {
    return await act(`${SESSIONS}/${id}/files`);
  } finally {
    await entrance.request("terminal", `${SESSIONS}/${id}`, { method: "DELETE" }).catch(() => undefined);
  }
}
