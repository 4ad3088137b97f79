import { stat } from "node:fs/promises";
import { counted } from "../../transfers.ts";
import { Entrance } from "../edge/entrance.ts";
import { progressLine } from "../edge/progress.ts";
import { save } from "../edge/save.ts";
import { Refused } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes } from "../output/format.ts";
import { count } from "../read.ts";

const RECEIVERS_MAX = 256;
/** The last line of the reply to a sender whose receivers have all of it. */
const DONE = /^\[INFO\] Transfer complete\.$/m;

/** Why a transfer failed: the last line of the reply to its sender. */
const failureIn = (said: string): string =>
  said
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^\[\w+\] /, "") || "the transfer failed";

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
      if (!DONE.test(said)) throw new Refused(failureIn(said));
      if (cli.options().json) await cli.print.json({ path, bytes: sent });
      else cli.print.note(`Sent ${bytes(sent)}.`);
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
      const received = await save(cli, response, file);
      if (cli.options().json && file !== undefined) await cli.print.json({ path, file, bytes: received });
    });
};

const address = (path: string, receivers: string) =>
  `/api/v1/pipe/${path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")}?n=${count(receivers, 1, RECEIVERS_MAX)}`;
