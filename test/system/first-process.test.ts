import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentOptions, agentEnvironment, cleanUp, MAIN } from "../agents/agent-process.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { type ControlPlane, controlPlane } from "../agents/control-plane.ts";
import { lacks } from "../agents/requirements.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

const ROOT = join(import.meta.dir, "../..");
const VICTIM = [process.execPath, join(import.meta.dir, "leaves-orphans-victim.ts")];
/** A first process such as npm: it starts one program, passes signals on, and ends as that one ends. */
const LIKE_NPM = `
  const child = require("node:child_process").spawn(process.argv[1], process.argv.slice(2), { stdio: "inherit" });
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code) => process.exit(code));
`;

/** Runs a command as the first process of a PID namespace, as a container image does. */
function first(command: readonly string[], env: Record<string, string | undefined> = {}) {
  const unshare = Bun.spawn(["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", ...command], {
    cwd: ROOT,
    env: { ...CLEAN_ENVIRONMENT, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  sharedWatchdog().watch(unshare.pid, "TERM");
  void unshare.exited.then(() => sharedWatchdog().forget(unshare.pid));
  let output = "";
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of unshare.stdout) output += decoder.decode(chunk, { stream: true });
  })();
  const init = () => until(() => Number(readChildren(unshare.pid).split(" ")[0]));
  return {
    output: () => output,
    init,
    said: (text: string) => until(() => output.includes(text)),
    /** The command lines of the first process and of up to two below it. */
    lineage: async () => {
      const pids = [await init()];
      for (const pid of pids) {
        const child = Number(readChildren(pid).split(" ")[0]);
        if (child > 0 && pids.length < 3) pids.push(child);
      }
      return pids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
    },
    terminate: async () => {
      process.kill(await init(), "SIGTERM");
      const code = await unshare.exited;
      await read;
      return code;
    },
  };
}

const readChildren = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");

describe.skipIf(lacks("root", "unshare"))("a program that leaves orphans", () => {
  test.each([
    { how: "is the first process", above: [] },
    { how: "is started by one that waits for no orphans", above: ["node", "-e", LIKE_NPM] },
  ])("leaves no zombies when it $how, and has signals, arguments and environment", async ({ above }) => {
    const system = first([...above, ...VICTIM, "5"]);
    await system.said("orphans");
    const { zombies, ...rest } = JSON.parse(system.output());
    expect(rest).toEqual({ orphans: 5, given: "yes" });
    expect(zombies).toBe(0);
    expect(await system.terminate()).toBe(7);
  });
});

describe.skipIf(lacks("root", "unshare"))("an agent that is the first process", () => {
  const SERVER = "node-9";
  let plane: ControlPlane;
  let options: AgentOptions;

  beforeAll(async () => {
    plane = await controlPlane(SERVER);
    const data = join(temporaryFolder(), "agent");
    const natsUrl = plane.nats.agentUrl(SERVER);
    options = { natsUrl, server: SERVER, data, driver: "process", subnet: testSubnet(127) };
  });
  afterAll(async () => {
    await cleanUp(options);
    await plane.close();
  });

  test("runs under one that waits for orphans, and ends as it is asked to", async () => {
    const system = first([process.execPath, MAIN], agentEnvironment(options));
    await system.said('"msg":"ready"');
    const [init, below] = await system.lineage();
    expect(init).toContain("system/first-process.sh");
    expect(below).toContain(MAIN);
    expect(await system.terminate()).toBe(0);
  });
});

test.skipIf(lacks("root", "unshare"))(
  "`npm start` as the first process has what waits for orphans, and stops everything before it ends",
  async () => {
    const system = first(["npm", "start"], {
      BERTH_DATA: join(temporaryFolder(), "data"),
      BERTH_PORT: String(await freePort()),
      BERTH_EDGE_PORT: String(await freePort()),
      BERTH_EDGE_HTTP_PORT: String(await freePort()),
      BERTH_METRICS_PORT: String(await freePort()),
      BERTH_DRIVER: "process",
    });
    await system.said("ready  http");
    // npm, the bootstrap, and then it.
    expect((await system.lineage())[2]).toContain("system/first-process.sh");
    expect(await system.terminate()).toBe(0);
    expect(system.output()).toContain("berth: stopped");
  },
);
