import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { downloadNats, type Release } from "../../scripts/provision/nats-release.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { temporaryFolder } from "../harness/servers.ts";

/** Where nats-server comes from. The release is served by a server of the test's own, with a program that stands for it. */

const PLATFORM = "linux-amd64";
const PROGRAM = "#!/bin/sh\necho stands for nats-server\n";

let server: ReturnType<typeof Bun.serve>;
let release: Release;

beforeAll(() => {
  const work = temporaryFolder();
  const name = `nats-server-v9.9.9-${PLATFORM}`;
  mkdirSync(join(work, name));
  writeFileSync(join(work, name, "nats-server"), PROGRAM, { mode: 0o755 });
  writeFileSync(join(work, name, "README.md"), "");
  Bun.spawnSync(["tar", "-czf", "archive.tar.gz", name], { cwd: work });
  const archive = readFileSync(join(work, "archive.tar.gz"));
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: { [`/v9.9.9/${name}.tar.gz`]: () => new Response(archive) },
    fetch: () => new Response("no such release", { status: 404 }),
  });
  const sum = createHash("sha256").update(archive).digest("hex");
  release = { version: "9.9.9", base: server.url.href.replace(/\/$/, ""), sums: { [PLATFORM]: sum } };
});

afterAll(() => server.stop(true));

test("a release whose checksum is the pinned one is unpacked and can be run", async () => {
  const tools = temporaryFolder();
  expect(await downloadNats(tools, release, PLATFORM)).toBeUndefined();
  const program = join(tools, "nats-server");
  accessSync(program, constants.X_OK);
  expect(readFileSync(program, "utf8")).toBe(PROGRAM);
});

test("an archive with another checksum is not used", async () => {
  const tools = temporaryFolder();
  const forged = { ...release, sums: { [PLATFORM]: "0".repeat(64) } };
  expect(await downloadNats(tools, forged, PLATFORM)).toMatch(
    /has the SHA-256 \w{64} instead of 0{64}: it was not used$/,
  );
  expect(existsSync(join(tools, "nats-server"))).toBe(false);
});

test("a platform without a pinned checksum is not downloaded", async () => {
  const failure = await downloadNats(temporaryFolder(), release, "plan9-mips");
  expect(failure).toBe("no checksum is known for plan9-mips");
});

test("a release that is not there, or a server that is not, is told in one line", async () => {
  const other = { ...release, version: "9.9.8" };
  expect(await downloadNats(temporaryFolder(), other, PLATFORM)).toMatch(/ answers 404$/);
  const nowhere = { ...release, base: "http://127.0.0.1:1" };
  expect(await downloadNats(temporaryFolder(), nowhere, PLATFORM)).toMatch(/ cannot be fetched \(/);
});

test("the system's nats-server is taken before anything is installed", async () => {
  const folder = temporaryFolder();
  const program = join(folder, "nats-server");
  writeFileSync(program, PROGRAM);
  chmodSync(program, 0o755);
  const said: string[] = [];
  const path = await natsServerPath({
    folders: [folder],
    tools: temporaryFolder(),
    say: (line) => said.push(line),
  });
  expect(path).toBe(program);
  expect(said).toEqual([]);
});

test("one that was installed earlier is found again", async () => {
  const tools = temporaryFolder();
  await downloadNats(tools, release, PLATFORM);
  expect(await natsServerPath({ folders: [], tools })).toBe(join(tools, "nats-server"));
});
