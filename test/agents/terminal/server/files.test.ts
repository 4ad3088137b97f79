import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

async function setUp(query: Record<string, string> = {}) {
  const service = startService();
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
    "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%24%28id%29%20%27a%27.bin",
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
