import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAccount } from "@nats-io/jwt";
import { checkHost, checkKernel } from "../../../agents/join/checks.ts";
import { agentJoin } from "../../../agents/join/command.ts";
import { hostCredential } from "../../../gateway/hosts/nats-claims.ts";
import { natsOperatorOf } from "../../../scripts/nats-operator.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";

const TOKEN = `${"a".repeat(24)}.${"B".repeat(43)}`;

/** A control plane that says no to everybody. */
let refusing: ReturnType<typeof Bun.serve>;
const asked: unknown[] = [];
beforeAll(() => {
  refusing = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      asked.push(await request.json());
      return Response.json({ statusCode: 400, code: "ENROLMENT_INVALID", message: "used" }, { status: 400 });
    },
  });
});
afterAll(() => refusing.stop(true));

const run = async (given: readonly string[], env: Record<string, string> = {}) => {
  const lines: string[] = [];
  const folder = join(temporaryFolder(), "agent");
  const outcome = await agentJoin({ BERTH_DATA: folder, ...env }, (line) => lines.push(line), given).catch(
    (error: Error) => error.message,
  );
  return { outcome, text: lines.join("\n"), folder };
};

test("the checks say what a machine has, and how to get what it lacks", async () => {
  expect(checkKernel("6.1.0-13-amd64")).toEqual({ name: "kernel", found: "6.1.0-13-amd64" });
  expect(checkKernel("5.12.0").remedy).toBeUndefined();
  for (const old of ["5.11.9", "4.19.0-26-amd64"])
    expect(checkKernel(old).remedy).toBe("install Linux 5.12 or newer, and reboot");
  const { checks } = await checkHost("/nowhere/at/all", "/nowhere");
  expect(checks.map(({ name }) => name)).toEqual(["system", "kernel", "control groups", "programs", "disk"]);
});

test("a machine that lacks programs is told which packages have them, and nothing is asked of the control plane", async () => {
  const { outcome, text, folder } = await run([refusing.url.href, TOKEN], { PATH: "/nowhere" });
  expect(outcome).toBe(false);
  expect(text).toContain("MISSING programs: missing: crun, conmon");
  expect(text).toMatch(/apt-get install .*\bcrun conmon catatonit busybox-static iproute2 nftables\b/);
  expect([asked, existsSync(folder)]).toEqual([[], false]);
});

test("the runtime that BERTH_RUNTIME names is asked for, and no other one", async () => {
  const PATH = temporaryFolder();
  const fake = (text: string) => {
    writeFileSync(join(PATH, "runc"), `#!/bin/sh\nprintf '%s\\n' ${text}\n`);
    chmodSync(join(PATH, "runc"), 0o755);
  };
  const joined = async (BERTH_RUNTIME: string) =>
    (await run([refusing.url.href, TOKEN], { PATH, BERTH_RUNTIME })).text;
  expect(await joined("runc")).toMatch(
    /missing: runc, conmon(?!.*crun).*\n.*apt-get install .* runc conmon /s,
  );
  expect(await joined("/opt/none/runsc")).toContain(
    "install /opt/none/runsc, or name another runtime in BERTH_RUNTIME",
  );
  expect(await joined("docker")).toContain('BERTH_RUNTIME is "docker": it can be crun, runc, runsc');
  fake("'runc version 1.1.5' 'libseccomp: 2.5.4'");
  expect(await joined("runc")).toMatch(/missing: conmon, .*ok {6}runtime: runc 1\.1\.5/s);
  fake("'runc version 1.0.3' 'libseccomp: 2.5.4'");
  expect(await joined("runc")).toContain("is runc 1.0.3; 1.1 is needed");
  expect(asked).toEqual([]);
});

test("a refusal is passed on in the control plane's own words, and leaves nothing behind", async () => {
  const { outcome, folder } = await run([refusing.url.href, TOKEN], { BERTH_DRIVER: "process" });
  expect(outcome).toBe("used");
  expect(asked).toMatchObject([{ token: TOKEN, public_key: expect.stringMatching(/^U[A-Z2-7]{55}$/) }]);
  expect(existsSync(folder)).toBe(false);
});

test.each([
  [["not a url", TOKEN], "not a url is no address of a control plane"],
  [["ftp://x", TOKEN], "ftp://x is no address of a control plane"],
  [["https://berth.example", TOKEN.slice(1)], "the token is not complete: copy the whole command"],
])("%j is refused before anything is checked", async (given, said) => {
  const { outcome, text } = await run(given);
  expect([outcome, text.includes(said)]).toEqual([false, true]);
});

test("where nothing answers, the address is named", async () => {
  const { outcome } = await run(["http://127.0.0.1:1", TOKEN], { BERTH_DRIVER: "process" });
  expect(outcome).toContain("no control plane answers at http://127.0.0.1:1");
});

test("a machine that joins and does not reach NATS is told which port to open", async () => {
  const { keys } = await natsOperatorOf(join(temporaryFolder(), "keys"));
  const nats_url = `nats://127.0.0.1:${await freePort()}`;
  const taking = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { public_key } = (await request.json()) as { public_key: string };
      const jwt = await hostCredential(
        keys,
        { name: "node-1", account: createAccount().getPublicKey() },
        public_key,
      );
      const data = {
        jwt,
        nats_url,
        server_name: "node-1",
        container_domain: "berth.localhost",
      };
      return Response.json({ statusCode: 200, message: "joined", data });
    },
  });
  const { outcome, text } = await run([taking.url.href, TOKEN], { BERTH_DRIVER: "process" });
  await taking.stop(true);
  expect(outcome).toBe(true);
  expect(text).toContain("This machine has joined as node-1");
  expect(text).toContain(`NATS at ${nats_url.slice("nats://".length)} cannot be reached from here`);
  expect(text).toContain("BERTH_AGENT_NATS_URL");
});
