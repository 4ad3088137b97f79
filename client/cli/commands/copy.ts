import { stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { counted } from "../../transfers.ts";
import type { Cli } from "../cli.ts";
import { Entrance } from "../edge/entrance.ts";
import { progressLine } from "../edge/progress.ts";
import { UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes } from "../output/format.ts";
import { save } from "./pipe.ts";

const SESSIONS = "/api/v1/terminal/sessions";
/** Beside the numbers that people give to sessions of their own. */
const SESSION = { min: 60_000, max: 65_535 } as const;

export const copy: CommandGroup = (program, cli) => {
  program
    .command("cp")
    .argument("<from>", "a file here, or CONTAINER:/path")
    .argument("<to>", "a file or folder here, or CONTAINER:/path")
    .option("--user <name>", "user in the container")
    .summary("copy a file into or out of a container")
    .description(
      "Copy a file into or out of a container. A file that is there already in a container is never replaced.",
    )
    .action(async (from, to, { user }) => {
      const [source, target] = [remoteOf(from), remoteOf(to)];
      if ((source === undefined) === (target === undefined))
        throw new UsageError("one of the two is CONTAINER:/path, and the other is a file here");
      if (source !== undefined) await download(cli, source, to, user);
      else if (target !== undefined) await upload(cli, from, target, user);
    });
};

interface Remote {
  readonly container: string;
  readonly path: string;
}

function remoteOf(text: string): Remote | undefined {
  const [, container, path] = /^([^/:]+):(\/.*)$/s.exec(text) ?? [];
  return container === undefined || path === undefined ? undefined : { container, path };
}

async function download(cli: Cli, { container, path }: Remote, to: string, user?: string): Promise<void> {
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  );
  await withSession(cli, container, "/", user, async (entrance, files) => {
    const query = new URLSearchParams({ path });
    const response = await entrance.request("terminal", `${files}?${query}`, { signal: cli.io.interrupted });
    await save(cli, response, isFolder ? join(to, posix.basename(path)) : to);
  });
}

async function upload(cli: Cli, from: string, { container, path }: Remote, user?: string): Promise<void> {
  const name = path.endsWith("/") ? basename(from) : posix.basename(path);
  const folder = path.endsWith("/") ? path : posix.dirname(path);
  const file = Bun.file(from);
  const progress = progressLine(cli.io, Boolean(cli.options().quiet), file.size);
  await withSession(cli, container, folder, user, async (entrance, files) => {
    const query = new URLSearchParams({ name });
    await entrance.request("terminal", `${files}?${query}`, {
      method: "PUT",
      headers: { "content-length": String(file.size) },
      body: file.stream().pipeThrough(counted(file.size, ({ bytes: sent }) => progress.show(sent))),
      duplex: "half",
      signal: cli.io.interrupted,
    } as RequestInit);
    cli.print.note(`Sent ${bytes(progress.end())}.`);
  });
}

/** Files travel beside a terminal session, as its user: one of its own that ends with the copy. */
async function withSession(
  cli: Cli,
  container: string,
  directory: string,
  user: string | undefined,
  act: (entrance: Entrance, files: string) => Promise<void>,
): Promise<void> {
  const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, container));
  const id = SESSION.min + Math.floor(Math.random() * (SESSION.max - SESSION.min));
  const query = new URLSearchParams({
    terminal_id: String(id),
    cwd: directory,
    ...(user === undefined ? {} : { user }),
  });
  await (
    await entrance.request("terminal", `/?${query}`, { headers: { accept: "text/html" } })
  ).body?.cancel();
  try {
    await act(entrance, `${SESSIONS}/${id}/files`);
  } finally {
    await entrance.request("terminal", `${SESSIONS}/${id}`, { method: "DELETE" }).catch(() => undefined);
  }
}
