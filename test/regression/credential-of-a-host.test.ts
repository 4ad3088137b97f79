import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { type StackServers, startStackServers } from "../harness/stack-servers.ts";

/** A gateway or an actor host with the credential of a host printed a stack of the client of NATS, and said that it was ready. */

const ROOT = join(import.meta.dir, "../..");
/** As pino writes it. */
const FATAL = 60;

describe.each([
  ["kept by hand", false],
  ["made by gateways", true],
])("with accounts %s", (_form, joining) => {
  let servers: StackServers;
  beforeAll(async () => {
    servers = await startStackServers({ servers: ["node-1"], joining });
  });
  afterAll(() => servers.stop());

  test.each(["gateway", "actors"])(
    "a process of %s ends with one line that says what to do",
    async (role) => {
      const env = role === "gateway" ? servers.gatewayEnv : servers.hostEnv("actors-1");
      const child = Bun.spawn([process.execPath, `${role}/main.ts`], {
        cwd: ROOT,
        env: { ...CLEAN_ENVIRONMENT, ...env, NATS_URL: servers.nats.agentUrl("node-1") },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [said, failed] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect([await child.exited, failed]).toEqual([1, ""]);
      const lines = said.trimEnd().split("\n");
      expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
        level: FATAL,
        msg: expect.stringMatching(/^NATS at NATS_URL cannot be used: its credential .* name control\.creds/),
      });
      expect(said).not.toContain('"ready"');
      expect(said).not.toMatch(/\bstack\b|nats-base-client/);
    },
  );
});
