import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import type { TerminalOptions } from "../../../../agents/terminal/options.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

async function setUp(query: Record<string, string> = {}, options: Partial<TerminalOptions> = {}) {
  const service = startService(options);
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const client = await service.open({ terminal_id: "7", ...query });
  client.type(`cd ${folder}; echo in''side\n`);
  await client.shows("inside");
  const at = `${service.origin}/api/v1/terminal/sessions/7/files`;
  return {
    service,
    folder,
    put: (name: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${at}?${new URLSearchParams({ name })}`, { method: "PUT", body, headers }),
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${at}?${new URLSearchParams({ path })}`, { headers }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const megabytes = crypto.getRandomValues(new Uint8Array(65_536));
const large = new Uint8Array(Buffer.concat(Array.from({ length: 160 }, () => megabytes)));

test("a file goes to where the shell is now, whole, and comes back the same", async () => {
  await using files = await setUp();
  const name = "größe $(id) 'a'.bin";
  expect((await files.put(name, large)).status).toBe(201);
  expect(readFileSync(join(files.folder, name)).equals(large)).toBe(true);
  const response = await files.get(name);
  expect(response.headers.get("content-disposition")).toBe(
    "attachment; filename=\"gr__e $(id) 'a'.bin\"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%24%28id%29%20%27a%27.bin",
  );
  expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
});

test("an empty file, and one with a name like an option", async () => {
  await using files = await setUp();
  expect((await files.put("-rf", "x")).status).toBe(201);
  expect(await (await files.get("-rf")).text()).toBe("x");
  writeFileSync(join(files.folder, "empty"), "");
  expect(await (await files.get("empty")).text()).toBe("");
});

test("a file's length may have zeros before it", async () => {
  await using files = await setUp();
  const { port } = new URL(files.service.origin);
  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => {
    answer += bytes.toString();
  });
  socket.write(
    `PUT /api/v1/terminal/sessions/7/files?name=zeros HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0005\r\n\r\nhello`,
  );
  await until(() => answer !== "");
  socket.destroy();
  expect(answer).toStartWith("HTTP/1.1 201");
  expect(readFileSync(join(files.folder, "zeros"), "utf8")).toBe("hello");
});

test("nothing is written over, beside, or in part", async () => {
  await using files = await setUp();
  writeFileSync(join(files.folder, "there"), "mine");
  const taken = await files.put("there", "theirs");
  expect([taken.status, ((await taken.json()) as { code: string }).code]).toEqual([409, "FILE_EXISTS"]);
  expect(readFileSync(join(files.folder, "there"), "utf8")).toBe("mine");
  for (const name of ["", ".", "..", "../up", "a/b", "/etc/x", "a\nb", "x".repeat(256)]) {
    expect({ name, status: (await files.put(name, "x")).status }).toEqual({ name, status: 400 });
  }
  const { port } = new URL(files.service.origin);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `PUT /api/v1/terminal/sessions/7/files?name=part HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000000\r\n\r\nbeginning`,
  );
  await until(() => existsSync(join(files.folder, "part")));
  socket.destroy();
  await until(() => !existsSync(join(files.folder, "part")));
});

test("what is not there is not found", async () => {
  await using files = await setUp();
  for (const path of ["nothing", ".", "/proc/1/mem/x"]) {
    expect({ path, status: (await files.get(path)).status }).toEqual({ path, status: 404 });
  }
  expect((await files.get("")).status).toBe(400);
});

describe("of a file that is not as long as it says", () => {
  test("what could be read is what comes", async () => {
    await using files = await setUp();
    for (const path of [
      "/proc/version",
      "/proc/filesystems",
      "/sys/kernel/mm/transparent_hugepage/enabled",
    ]) {
      if (!existsSync(path)) continue;
      expect({ path, text: await (await files.get(path)).text() }).toEqual({
        path,
        text: readFileSync(path, "utf8"),
      });
    }
  });

  /** More than all that is between who reads a file and who takes it. */
  const long = 64 << 20;

  test("as much comes of a log that grows meanwhile as there was", async () => {
    await using files = await setUp();
    const log = join(files.folder, "log");
    writeFileSync(log, Buffer.alloc(long, "a"));
    const reader = (await files.get("log")).body?.getReader();
    let bytes = (await reader?.read())?.value?.length ?? 0;
    appendFileSync(log, "more");
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) break;
      bytes += value?.length ?? 0;
    }
    expect(bytes).toBe(long);
  });

  test("what is cut meanwhile breaks off, and does not look whole", async () => {
    await using files = await setUp();
    const log = join(files.folder, "log");
    writeFileSync(log, Buffer.alloc(long, "a"));
    const answer = await raw(files.service.origin, "log", () => truncateSync(log, 1000));
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(answer.length).toBeLessThan(long);
    expect(answer).not.toEndWith("\r\n0\r\n\r\n");
  });

  test("what has neither a size nor an end breaks off", async () => {
    const machine = reading("printf '0\\n'; exec cat /dev/zero");
    await using files = await setUp({}, { target: machine });
    const answer = files.get("x").then((response) => response.arrayBuffer());
    expect(await answer.catch(() => "broke off")).toBe("broke off");
  });

  test.each([
    ["its size", "exec sleep 1000", 409, 200],
    ["what is in it", "echo 100; echo beginning; exec sleep 1000", 200, 3_000],
  ])("what waits for ever before it says %s is given up", async (_name, script, status, fileMsMax) => {
    await using files = await setUp({}, { target: reading(script), fileMsMax });
    const response = await files.get("x");
    expect(response.status).toBe(status);
    const body = await response.text().catch(() => "broke off");
    expect(body).toContain(status === 200 ? "broke off" : "FILES_UNAVAILABLE");
  });
});

/** A machine on which files are read by another script. */
const reading = (script: string) => ({
  ...hostExecTarget,
  stream: () => hostExecTarget.stream({ user: null, argv: ["/bin/sh", "-c", script] }, null),
});

/** A download as it is on the wire, by a client that does something between its beginning and the rest. */
async function raw(origin: string, path: string, between: () => void): Promise<string> {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  const pieces: Buffer[] = [];
  let isOver = false;
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOver = true;
  });
  socket.once("data", (bytes: Buffer) => {
    socket.pause();
    pieces.push(bytes);
    between();
    socket.on("data", (more: Buffer) => pieces.push(more));
    socket.resume();
  });
  socket.write(
    `GET /api/v1/terminal/sessions/7/files?path=${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
  );
  await until(() => isOver);
  return Buffer.concat(pieces).toString("latin1");
}

test("other sites can neither send nor take", async () => {
  await using files = await setUp();
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
    expect((await files.put("evil", "x", headers)).status).toBe(403);
    expect((await files.get("/etc/passwd", headers)).status).toBe(403);
  }
  expect(existsSync(join(files.folder, "evil"))).toBe(false);
});

describe.skipIf(lacks("root"))("of another user's session", () => {
  test("files are that user's, and so is what may be read", async () => {
    await using files = await setUp({ user: "nobody" });
    expect((await files.put("mine", "x")).status).toBe(201);
    expect(statSync(join(files.folder, "mine")).uid).toBe(65534);
    writeFileSync(join(files.folder, "secret"), "x", { mode: 0o600 });
    expect((await files.get("secret")).status).toBe(404);
    expect((await files.get("/etc/shadow")).status).toBe(404);
  });
});
