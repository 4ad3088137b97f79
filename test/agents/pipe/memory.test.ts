import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { startPipeProcess } from "./pipe-process.ts";
import { curl } from "./pipe-server.ts";
import { RawClient } from "./raw-client.ts";

const MB = 2 ** 20;
const FILE_BYTES = 400 * MB;

/** A file that no two parts of are alike. */
function largeFile(): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "berth-pipe-"));
  const path = join(folder, "large");
  const file = openSync(path, "w");
  const block = new Uint8Array(MB);
  for (let at = 0; at < FILE_BYTES / MB; at++) {
    crypto.getRandomValues(block.subarray(0, 65_536));
    block.set([at & 255, at >> 8], 65_536);
    writeSync(file, block);
  }
  closeSync(file);
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** Whether a receiver gets a file, byte for byte. By programs: 3 GB go through them here. */
async function receives(url: string, path: string): Promise<boolean> {
  const compared = 'set -o pipefail; curl -sS --max-time 200 "$1" | cmp - "$2"';
  return (await Bun.spawn(["bash", "-c", compared, "receives", url, path]).exited) === 0;
}

describe.skipIf(lacks("linux"))("400 MB", () => {
  const file = lacks("linux") ? undefined : largeFile();
  const { path = "" } = file ?? {};

  test.each([
    ["by its length, to 1", 1, ["-T", path]],
    ["by its length, to 3", 3, ["-T", path]],
    ["chunked, to 2", 2, ["-T", path, "-H", "Transfer-Encoding: chunked"]],
    ["multipart, to 2", 2, ["-F", "field=1", "-F", `file=@${path}`, "-F", "after=2"]],
  ])(
    "%s: each receiver has them all, the server some megabytes, and no descriptor stays",
    async (_, n, args) => {
      const pipe = await startPipeProcess();
      const before = { rss: pipe.rssBytes(), descriptors: pipe.descriptors() };
      let rssMax = 0;
      const watch = setInterval(() => {
        rssMax = Math.max(rssMax, pipe.rssBytes());
      }, 20);
      try {
        const sender = curl(...args, `${pipe.url("x")}?n=${n}`);
        const received = await Promise.all(
          Array.from({ length: n }, () => receives(`${pipe.url("x")}?n=${n}`, path)),
        );
        expect(received).toEqual(Array.from({ length: n }, () => true));
        expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
      } finally {
        clearInterval(watch);
      }
      // A server that gathers what it passes on has all of the file.
      expect(rssMax - before.rss).toBeLessThan(FILE_BYTES / 2);
      await until(() => pipe.descriptors() <= before.descriptors);
      await pipe.stop();
    },
  );

  test("into a receiver that has stopped reading: the sender is held back", async () => {
    const pipe = await startPipeProcess();
    const before = pipe.rssBytes();
    const receiver = (await RawClient.connect(pipe.port)).send(
      "GET /api/v1/pipe/x HTTP/1.1\r\nHost: a\r\n\r\n",
    );
    receiver.pause();
    const sender = await RawClient.connect(pipe.port);
    sender.send(`PUT /api/v1/pipe/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${FILE_BYTES}\r\n\r\n`);
    sender.send(readFileSync(path));
    let unsent = sender.unsentBytes;
    await until(
      async () => {
        const earlier = unsent;
        unsent = sender.unsentBytes;
        return earlier === unsent;
      },
      { everyMs: 300 },
    );
    expect(unsent).toBeGreaterThan(FILE_BYTES / 2);
    await until(() => pipe.rssBytes() - before < 60 * MB);
    receiver.resume();
    await until(() => receiver.receivedBytes >= FILE_BYTES, { everyMs: 100 });
    const { body, isWhole } = await receiver.response();
    expect(isWhole).toBe(true);
    expect(body.equals(readFileSync(path))).toBe(true);
    await pipe.stop();
    file?.remove();
  });
});
