import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeAuthority } from "../../../agents/edge/tls/make-certificates.ts";
import { commandLine } from "../../client/cli/run.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const folder = temporaryFolder();
const file = join(folder, "ca.pem");
let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: { BERTH_EDGE_AUTHORITY: file } });
});
afterAll(() => stack.stop());

const get = () => fetch(`${stack.url}/api/v1/certificate-authority`);
const document = async () => (await fetch(stack.url, { headers: { accept: "text/html" } })).text();

test("the authority of hosts' certificates is offered once it is there, without a key that is in the same file", async () => {
  const missing = await get();
  expect([missing.status, await missing.json()]).toMatchObject([404, { code: "CERTIFICATE_NOT_FOUND" }]);
  expect(await document()).not.toContain("berth-authority");
  const { cert, key } = await makeAuthority({ key: join(folder, "ca.key"), cert: file }, "berth.localhost");
  writeFileSync(file, `${key}${cert}`);
  const found = await get();
  expect([found.status, found.headers.get("content-disposition")]).toEqual([
    200,
    'attachment; filename="berth-ca.pem"',
  ]);
  expect((await found.text()).trim()).toBe(cert.trim());
  expect(await document()).toContain('<meta name="berth-authority" content="own">');
  writeFileSync(file, key);
  expect((await get()).status).toBe(404);
  rmSync(file);
  expect((await get()).status).toBe(404);
});

test("the command line takes the authority from the installation and uses it from then on", async () => {
  const { cert } = await makeAuthority({ key: join(folder, "ca.key"), cert: file }, "berth.localhost");
  const cli = commandLine(stack);
  await cli.ok(`context add home ${stack.url}`);
  const { file: kept } = (await cli.ok("--json context trust home")).json;
  expect((await Bun.file(kept).text()).trim()).toBe(cert.trim());
  rmSync(file);
  const refused = await cli.run("context trust home");
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("CERTIFICATE_NOT_FOUND")]);
});
