import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { ExecTarget, StreamProcess } from "../../../agents/exec/target.ts";
import { ProgramServer } from "../../../agents/services/program.ts";
import { temporaryFolder } from "../../harness/servers.ts";

/** What is said when a program listens on the port. */
const CONNECTED = "+";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function programEnding(stdout: string): StreamProcess {
  const bytes = new Blob([stdout]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  return { stdout: bytes, exited: Promise.resolve(0), kill: () => undefined };
}

/** One whose output comes when the test says so. */
function programHeldUp() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stdout = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      const text = await promise;
      if (text !== "") controller.enqueue(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>);
      controller.close();
    },
  });
  return { program: { stdout, exited: promise.then(() => 0), kill: () => undefined }, say: resolve };
}

test("a program is started once, though a connection that began before its start is refused after it", async () => {
  const early = programHeldUp();
  let isFirst = true;
  let starts = 0;
  const target = {
    stream({ argv }: { argv: readonly string[] }): StreamProcess {
      if (argv[3] !== "relay") {
        starts += 1;
        return programEnding("");
      }
      if (isFirst) {
        isFirst = false;
        return early.program;
      }
      return programEnding(starts > 0 ? CONNECTED : "");
    },
  } as unknown as ExecTarget;
  const server = new ProgramServer(join(temporaryFolder(), "wiki.sock"), {
    program: { name: "wiki", port: 8123, path: "/", command: ["wiki"] },
    user: null,
    env: {},
    target,
  });
  ends.push(() => server.close());
  const first = server.isReady(60_000);
  expect(await server.isReady(60_000)).toBe(true);
  early.say("");
  expect(await first).toBe(true);
  expect(starts).toBe(1);
});
