import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { natsVersionObstacle } from "../../schemas/nats-version.ts";
import { findProgram } from "../../scripts/programs.ts";
import { programFromPackage } from "../../scripts/provision/apt.ts";
import { natsProgramObstacle } from "../../scripts/provision/nats-program.ts";
import { downloadNats, platformName, type Release } from "../../scripts/provision/nats-release.ts";
import { NATS_PACKAGE, natsServerPath } from "../../scripts/provision.ts";
import { startNats } from "../../scripts/servers/nats.ts";
import { sharedWatchdog, temporaryFolder } from "../harness/servers.ts";

/** Where nats-server comes from. The release is served by a server of the test's own, with a program that stands for it. */

const PLATFORM = "linux-amd64";
const PROGRAM = programOf("9.9.9");

function programOf(version: string): string {
  return `#!/bin/sh\necho "nats-server: v${version}"\n`;
}

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

function folderWith(program: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "nats-server"), program);
  chmodSync(join(folder, "nats-server"), 0o755);
  return folder;
}

test("the system's nats-server is taken before anything is fetched", async () => {
  const folder = folderWith(PROGRAM);
  const said: string[] = [];
  const path = await natsServerPath({
    folders: [folder],
    tools: temporaryFolder(),
    say: (line) => said.push(line),
  });
  expect(path).toBe(join(folder, "nats-server"));
  expect(said).toEqual([]);
});

test("one that was fetched earlier is found again", async () => {
  const tools = temporaryFolder();
  await downloadNats(tools, release, PLATFORM);
  expect(await natsServerPath({ folders: [], tools })).toBe(join(tools, "nats-server"));
});

test.skipIf(platformName() !== PLATFORM)(
  "a system's nats-server that is too old is passed over, and that is said",
  async () => {
    const folder = folderWith(programOf("2.9.10"));
    const tools = temporaryFolder();
    const said: string[] = [];
    const path = await natsServerPath({ folders: [folder], tools, release, say: (line) => said.push(line) });
    expect(path).toBe(join(tools, "nats-server"));
    expect(said).toEqual([
      `${folder}/nats-server: nats-server 2.9.10 is too old: Berth needs 2.12 or newer: getting it from its release 9.9.9`,
    ]);
  },
);

test("what was tried in vain is told in one line", async () => {
  const folder = folderWith(programOf("2.11.99"));
  const failure = natsServerPath({
    folders: [folder],
    tools: temporaryFolder(),
    release: { ...release, sums: {} },
    packages: { archive: "http://127.0.0.1:1", suite: "testing" },
  });
  await expect(failure).rejects.toThrow(
    /^no nats-server that Berth can use \(.*2\.11\.99 is too old.*no checksum is known.*Debian testing: .*\): install one for [^\n]*$/,
  );
});

test("an old nats-server is not started", async () => {
  const program = join(folderWith(programOf("2.9.10")), "nats-server");
  const dir = join(temporaryFolder(), "nats");
  const options = {
    program,
    dir,
    port: 1,
    accounts: "",
    urlAt: () => "",
    log: `${dir}.log`,
    watchdog: sharedWatchdog(),
  };
  await expect(startNats(options)).rejects.toThrow(
    "nats-server 2.9.10 is too old: Berth needs 2.12 or newer",
  );
});

test.each([
  ["2.11.9", "nats-server 2.11.9 is too old: Berth needs 2.12 or newer"],
  ["1.99.0", "nats-server 1.99.0 is too old: Berth needs 2.12 or newer"],
  ["", 'nats-server reports a version that is not a version number ("")'],
  ["2.12.0", undefined],
  ["2.15.1", undefined],
  ["3.0.0-beta.1", undefined],
])("version %j", (version, obstacle) => {
  expect(natsVersionObstacle(version)).toBe(obstacle);
});

const hasApt = findProgram("apt-get") !== undefined && findProgram("dpkg-deb") !== undefined;

/** An archive with one package, as Debian's are made; without a signature unless apt is told to trust it. */
function makeArchive(): string {
  const archive = temporaryFolder();
  const content = join(archive, "content");
  mkdirSync(join(content, "usr/sbin"), { recursive: true });
  mkdirSync(join(content, "DEBIAN"));
  writeFileSync(join(content, "usr/sbin/nats-server"), programOf("2.12.0"), { mode: 0o755 });
  const architecture = Bun.spawnSync(["dpkg", "--print-architecture"]).stdout.toString().trim();
  const control = [
    "Package: nats-server",
    "Version: 2.12.0-1",
    `Architecture: ${architecture}`,
    "Maintainer: Test <test@example.org>",
    "Description: stands for nats-server",
  ];
  writeFileSync(join(content, "DEBIAN/control"), `${control.join("\n")}\n`);
  const binary = join(archive, `dists/testing/main/binary-${architecture}`);
  mkdirSync(binary, { recursive: true });
  mkdirSync(join(archive, "pool"));
  const deb = join(archive, "pool/nats-server.deb");
  const built = Bun.spawnSync(["dpkg-deb", "--root-owner-group", "-b", content, deb]);
  if (built.exitCode !== 0) throw new Error(built.stderr.toString());
  const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  const entry = [
    ...control,
    "Filename: pool/nats-server.deb",
    `Size: ${statSync(deb).size}`,
    `SHA256: ${hash(deb)}`,
  ];
  const packages = join(binary, "Packages");
  writeFileSync(packages, `${entry.join("\n")}\n`);
  writeFileSync(
    join(archive, "dists/testing/Release"),
    [
      "Suite: testing",
      "Codename: testing",
      `Architectures: ${architecture}`,
      "Components: main",
      `Date: ${new Date().toUTCString()}`,
      "SHA256:",
      ` ${hash(packages)} ${statSync(packages).size} main/binary-${architecture}/Packages`,
      "",
    ].join("\n"),
  );
  chmodSync(archive, 0o755);
  return archive;
}

test.skipIf(!hasApt)("a package whose archive nobody signed is not used", async () => {
  const tools = temporaryFolder();
  const source = { archive: `file:${makeArchive()}`, suite: "testing" };
  const failure = await programFromPackage(NATS_PACKAGE, tools, source);
  expect(failure).toMatch(/not signed/);
  expect(readdirSync(tools)).toEqual([]);
});

test.skipIf(!hasApt)("the program of a package is all that is taken from it", async () => {
  const tools = temporaryFolder();
  const source = { archive: `file:${makeArchive()}`, suite: "testing", options: "trusted=yes" };
  expect(await programFromPackage(NATS_PACKAGE, tools, source)).toBeUndefined();
  expect(readdirSync(tools)).toEqual(["nats-server"]);
  expect(natsProgramObstacle(join(tools, "nats-server"))).toBeUndefined();
});
