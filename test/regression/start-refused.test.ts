import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { natsServerPath } from "../../scripts/provision.ts";
import { readSettings } from "../../scripts/settings.ts";
import { Supervisor } from "../../scripts/supervisor/supervisor.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { testWhere } from "../harness/test-where.ts";
import { fakeRoles } from "../scripts/fixtures/roles.ts";

/** A data folder that is none gave a stack trace, and a setting that is wrong the log lines of earlier starts. */

const ROOT = join(import.meta.dir, "../..");

const started: Supervisor[] = [];
afterEach(async () => {
  for (const supervisor of started.splice(0)) await supervisor.stop();
});

const freePorts = async () => ({
  BERTH_PORT: String(await freePort()),
  BERTH_EDGE_PORT: String(await freePort()),
  BERTH_EDGE_HTTP_PORT: String(await freePort()),
  BERTH_METRICS_PORT: String(await freePort()),
});

/** What `npm start` says and ends with when it cannot start. */
async function refusal(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/start.ts")], {
    cwd: temporaryFolder(),
    env: { ...CLEAN_ENVIRONMENT, ...(await freePorts()), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = await child.stderr.text();
  return { said, code: await child.exited };
}

const oneLine = (data: string) => `berth: BERTH_DATA=${data}: no data can be kept there`;

test.each(["/proc/x", "/etc/passwd", "/dev/null/data"])(
  "%s as the data folder is refused in one line",
  async (data) => {
    const { said, code } = await refusal({ BERTH_DATA: data });
    expect(said).toStartWith(oneLine(data));
    expect(said.trimEnd().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  },
);

testWhere(process.getuid?.() !== 0, "an ordinary user")(
  "a data folder that one may not write to is refused in one line",
  async () => {
    const data = join(temporaryFolder(), "data");
    mkdirSync(data);
    chmodSync(data, 0o500);
    const { said, code } = await refusal({ BERTH_DATA: join(data, "inside") });
    expect([said.trimEnd().split("\n").length, said.startsWith(oneLine(join(data, "inside"))), code]).toEqual(
      [1, true, 1],
    );
  },
);

/** A supervisor of which one role fails, in a data folder with the log of an earlier start. */
async function supervisorWith(how: Parameters<typeof fakeRoles>[1], commands: object = {}) {
  const data = join(temporaryFolder(), "data");
  mkdirSync(join(data, "logs"), { recursive: true });
  for (const name of ["agent", "gateway"])
    writeFileSync(join(data, "logs", `${name}.log`), "of an earlier start\n");
  const journal = join(temporaryFolder(), "journal");
  const supervisor = new Supervisor({
    settings: readSettings({ ...(await freePorts()), BERTH_DATA: data, BERTH_SEED: "none" }),
    commands: { ...fakeRoles(journal, how), ...commands },
    cwd: ROOT,
    natsServer: natsServerPath,
    say: () => undefined,
  });
  started.push(supervisor);
  return { supervisor, data };
}

test("a process that does not start is told with what it said now, not what an earlier one said", async () => {
  const { supervisor } = await supervisorWith({ agent: "fail" });
  const error = await supervisor.start().catch((refused: Error) => refused.message);
  expect(error).toContain("the reason it failed");
  expect(error).not.toContain("earlier");
});

test("a setting that is wrong is told in one line: the process's own, and where its log is", async () => {
  const gateway = [
    "/usr/bin/env",
    "BERTH_TRUSTED_PROXIES=10.0.0.0/99",
    process.execPath,
    join(ROOT, "gateway/main.ts"),
  ];
  const { supervisor, data } = await supervisorWith({}, { gateway });
  const error = await supervisor.start().catch((refused: Error) => refused.message);
  expect(error).toBe(
    'gateway did not start: it ended with code 1; BERTH_TRUSTED_PROXIES: "10.0.0.0/99" is neither an address nor a network: ' +
      `it lists those of your proxies, such as 10.0.0.0/8,::1 (more in ${join(data, "logs", "gateway.log")})`,
  );
});
