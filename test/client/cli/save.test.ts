import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../../client/cli/cli.ts";
import { save } from "../../../client/cli/edge/save.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const cli = new Cli(
  {
    env: {},
    out: () => {},
    err: () => {},
    input: () => new ReadableStream<Uint8Array>(),
    isInteractive: false,
    columns: undefined,
    interrupted: new AbortController().signal,
  },
  () => ({}),
);

/** A body of some pieces, which breaks off after them. */
const broken = (...pieces: string[]) =>
  new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error("broken off"));
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    }),
  );

test("a transfer that breaks off leaves no file, and the former one as it was", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "received");
  await expect(save(cli, broken("one", "two"), file)).rejects.toThrow("broken off");
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, "former");
  await expect(save(cli, broken("one"), file)).rejects.toThrow("broken off");
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["received"], "former"]);
  await save(cli, new Response("new"), file);
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["received"], "new"]);
});
