import { basename, join, posix } from "node:path";
import { BerthError } from "../../errors.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { bytes, plural } from "../output/format.ts";
import { type Copied, fetchFile, type Remote, sendFile, type Writing } from "./copy-file.ts";
import { downloadFolder, isFolder, uploadFolder } from "./copy-folder.ts";

export const copy: CommandGroup = (program, cli) => {
  program
    .command("cp")
    .argument("<from>", "a file or folder here, or CONTAINER:/path")
    .argument("<to>", "a file or folder here, or CONTAINER:/path")
    .option("--user <name>", "user in the container")
    .option("--replace", "let a file take the place of one that is there in the container")
    .summary("copy files and folders into or out of a container")
    .description(
      "Copy a file, or a folder with all that is in it, into or out of a container; `FOLDER/.` is what is in the folder. What is there already in a container stays, except for a file with --replace, and nothing gets its name before it is whole. A download of a file goes on where its connection broke. An upload that breaks off leaves nothing in the container, and is sent again from its beginning.",
    )
    .action(async (from, to, { user, replace: replaces }) => {
      const [source, target] = [remoteOf(from), remoteOf(to)];
      if ((source === undefined) === (target === undefined))
        throw new UsageError("one of the two is CONTAINER:/path, and the other is a file or folder here");
      if (source !== undefined) await told(cli, "Received", await download(cli, source, to, user), from, to);
      else if (target !== undefined)
        await told(cli, "Sent", await upload(cli, from, target, { user, replaces }), from, to);
    });
};

async function told(cli: Cli, act: string, copied: Copied, from: string, to: string): Promise<void> {
  if (cli.options().json) return cli.print.json({ from, to, ...copied });
  const files = copied.files === 1 ? "" : `${plural(copied.files, "file")} with `;
  cli.print.note(`${act} ${files}${bytes(copied.bytes)}.`);
}

function remoteOf(text: string): Remote | undefined {
  const [, container, path] = /^([^/:]+):(\/.*)$/s.exec(text) ?? [];
  return container === undefined || path === undefined ? undefined : { container, path };
}

async function download(cli: Cli, source: Remote, to: string, user?: string): Promise<Copied> {
  const { path } = source;
  if (/\/\.?$/.test(path)) return downloadFolder(cli, source, to, user);
  try {
    const file = (await isFolder(to)) ? join(to, posix.basename(path)) : to;
    return { files: 1, bytes: await fetchFile(cli, source, file, user) };
  } catch (error) {
    if (!(error instanceof BerthError) || error.code !== ("FILE_NOT_FOUND" as string)) throw error;
    return downloadFolder(cli, source, to, user).catch((reason) => {
      throw reason instanceof Refused && reason.message.endsWith("is no folder") ? error : reason;
    });
  }
}

async function upload(cli: Cli, from: string, target: Remote, { user, replaces }: Writing): Promise<Copied> {
  if (await isFolder(from)) {
    if (replaces) throw new UsageError("--replace is for one file: a folder replaces nothing");
    return uploadFolder(cli, from, target, user);
  }
  const { path } = target;
  const to = path.endsWith("/") ? { ...target, path: `${path}${basename(from)}` } : target;
  return { files: 1, bytes: await sendFile(cli, from, to, { user, replaces }) };
}
