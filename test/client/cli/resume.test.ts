import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { Cli } from "../../../client/cli/cli.ts";
import { saveResuming } from "../../../client/cli/edge/resume.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const CONTENT = crypto.getRandomValues(new Uint8Array(300_000));
const PIECE = 100_000;
const VERSION = "Mon, 01 Jan 2024 00:00:00 GMT";

let server: Server | undefined;
afterEach(() => server?.close());

/** A server of one file, which sends a piece of it on each connection and waits until that is cut. @param changes whether the file is another one by then */
async function brokenServer(changes = false) {
  const requests: (string | undefined)[] = [];
  let cut = () => {};
  const listening = createServer((socket) => {
    socket.once("data", (head) => {
      const [, range, from] = /^range: (bytes=(\d+)-)/im.exec(String(head)) ?? [];
      requests.push(range);
      const rest = CONTENT.subarray(Number(from));
      const status = changes && /^if-range:/im.test(String(head)) ? "200 OK" : "206 Partial Content";
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${rest.length}\r\nConnection: close\r\n\r\n`);
      socket.write(rest.subarray(0, PIECE));
      cut = () => socket.destroy();
    });
  });
  server = listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
  const rest = (from: number, version?: string) =>
    fetch(url, {
      headers: { range: `bytes=${from}-`, ...(version === undefined ? {} : { "if-range": version }) },
    });
  return { requests, rest, cut: () => cut() };
}

async function receive(changes = false) {
  const { requests, rest, cut } = await brokenServer(changes);
  let notes = "";
  const io = {
    env: {},
    out: () => {},
    err: (text: string) => {
      notes += text;
    },
    input: () => new ReadableStream<Uint8Array>(),
    isInteractive: false,
    columns: undefined,
    interrupted: new AbortController().signal,
  };
  const folder = temporaryFolder();
  const remote = { size: CONTENT.length, version: VERSION, first: await rest(0), rest };
  const show = (bytes: number) => void (bytes % PIECE === 0 && cut());
  const progress = { show, end: () => 0 };
  const saved = saveResuming(new Cli(io, () => ({})), remote, join(folder, "file"), progress, 1);
  return { saved, folder, requests, notes: () => notes };
}

test("a download goes on where its connection broke, as often as it takes", async () => {
  const { saved, folder, requests, notes } = await receive();
  await saved;
  expect(readFileSync(join(folder, "file")).equals(CONTENT)).toBe(true);
  expect(readdirSync(folder)).toEqual(["file"]);
  expect(requests).toEqual(["bytes=0-", "bytes=100000-", "bytes=200000-"]);
  expect(notes()).toContain("going on from there");
});

test("a file that has changed in the meantime is not put together from two versions", async () => {
  const { saved, folder } = await receive(true);
  await expect(saved).rejects.toThrow("has changed");
  expect(readdirSync(folder)).toEqual([]);
});
