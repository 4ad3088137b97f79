import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { gatewayInProcess, type InProcess } from "../harness/in-process.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { type StackServers, startStackServers } from "../harness/stack-servers.ts";

/** The kernel lets any two gateways share a port: each would get a part of the other's requests. */

const ROOT = join(import.meta.dir, "../..");
/** As pino writes it. */
const FATAL = 60;

/** Runs a gateway that is to refuse its start. */
async function refusal(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, "gateway/main.ts"], {
    cwd: ROOT,
    env: { ...CLEAN_ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = (await child.stdout.text()).trimEnd().split("\n");
  return { code: await child.exited, last: JSON.parse(lines.at(-1) ?? "") };
}

describe("a gateway", () => {
  let servers: StackServers;
  let running: InProcess;
  beforeAll(async () => {
    servers = await startStackServers({});
    running = await gatewayInProcess(servers);
  });
  afterAll(async () => {
    await running.stop();
    await servers.stop();
  });

  test("does not start on the port of a gateway of another installation, and says so in one line", async () => {
    const key = join(temporaryFolder(), "other.pem");
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(key, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
    const { code, last } = await refusal({ ...servers.gatewayEnv, BERTH_SIGNING_KEY_FILE: key });
    expect([code, last]).toMatchObject([
      1,
      {
        level: FATAL,
        msg: expect.stringMatching(
          /^port \d+ \(BERTH_PORT\): a gateway of another installation listens there/,
        ),
      },
    ]);
  });

  test("does not start on the port of another program, which shares its port with everybody", async () => {
    const port = await freePort();
    const other = Bun.serve({
      port,
      hostname: "127.0.0.1",
      reusePort: true,
      fetch: () => Response.json({ keys: "none" }),
    });
    const { code, last } = await refusal({ ...servers.gatewayEnv, BERTH_PORT: String(port) });
    expect([code, last.msg]).toEqual([
      1,
      `port ${port} (BERTH_PORT): another program listens there, \`ss -ltnp\` names it: give another port`,
    ]);
    await other.stop(true);
  });

  test("shares its port with a gateway of its installation, so that one can replace the other", async () => {
    const second = await gatewayInProcess(servers);
    expect(readFileSync(join(servers.address.logs, "gateway.log"), "utf8")).toContain(
      "another gateway of this installation shares the port",
    );
    await running.stop();
    running = second;
    expect((await fetch(`${servers.address.url}/health/ready`)).status).toBe(200);
  });
});
