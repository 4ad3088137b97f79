import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { counted } from "../../transfers.ts";
import type { Cli } from "../cli.ts";
import { Entrance } from "../edge/entrance.ts";
import { progressLine } from "../edge/progress.ts";
import { Refused } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes } from "../output/format.ts";
import { count } from "../read.ts";

const RECEIVERS_MAX = 256;

export const pipe: CommandGroup = (program, cli) => {
  const group = program
    .command("pipe")
    .summary("stream between machines through a container's pipe")
    .description(
      "Stream between machines through a container's pipe, which stores nothing. Either side may come first; both name the same path.",
    );
  group
    .command("send")
    .argument("<container>")
    .argument("<path>", "that both sides agree on")
    .argument("[file]", "the input unless given")
    .option("-n, --receivers <count>", "how many receive it", "1")
    .description("Send a file, or the input.")
    .action(async (given, path, file, { receivers }) => {
      const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, given));
      const total = file === undefined ? null : (await stat(file)).size;
      const source = file === undefined ? cli.io.input() : Bun.file(file).stream();
      const progress = progressLine(cli.io, Boolean(cli.options().quiet), total);
      const response = await entrance.request("pipe", address(path, receivers), {
        method: "PUT",
        body: source.pipeThrough(counted(total, ({ bytes: sent }) => progress.show(sent))),
        duplex: "half",
        signal: cli.io.interrupted,
        timeout: false,
      } as RequestInit);
      const said = await response.text();
      const sent = progress.end();
      if (!/transfer complete/i.test(said))
        throw new Refused(said.trim().split("\n").at(-1) ?? "the transfer failed");
      cli.print.note(`Sent ${bytes(sent)}.`);
    });
  group
    .command("recv")
    .argument("<container>")
    .argument("<path>", "that both sides agree on")
    .argument("[file]", "the output unless given")
    .option("-n, --receivers <count>", "how many receive it", "1")
    .description(
      "Receive into a file, or the output. A transfer that breaks is an error, never a short file that looks whole.",
    )
    .action(async (given, path, file, { receivers }) => {
      const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, given));
      const response = await entrance.request("pipe", address(path, receivers), {
        signal: cli.io.interrupted,
        timeout: false,
      } as RequestInit);
      await save(cli, response, file);
    });
};

const address = (path: string, receivers: string) =>
  `/api/v1/pipe/${path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")}?n=${count(receivers, 1, RECEIVERS_MAX)}`;

/** Writes a body to a file or the output, with progress. */
export async function save(cli: Cli, response: Response, file: string | undefined): Promise<void> {
  const length = response.headers.get("content-length");
  const progress = progressLine(
    cli.io,
    Boolean(cli.options().quiet),
    length === null ? null : Number(length),
  );
  const target = file === undefined ? undefined : createWriteStream(file);
  let received = 0;
  for await (const chunk of response.body ?? []) {
    received += chunk.length;
    progress.show(received);
    if (target === undefined) await cli.io.out(chunk);
    else if (!target.write(chunk)) await new Promise((resolve) => target.once("drain", resolve));
  }
  if (target !== undefined) await new Promise((resolve, reject) => target.once("error", reject).end(resolve));
  cli.print.note(`Received ${bytes(progress.end())}.`);
}
