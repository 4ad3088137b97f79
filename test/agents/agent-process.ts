import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { groupOf, removeGroup } from "../../agents/containers/cgroup.ts";
import { run } from "../../agents/exec/command.ts";
import { HostNetwork } from "../../agents/network/host-network.ts";
import { firewallTableName } from "../../agents/network/nft/compile.ts";
import { ContainerRecord } from "../../agents/reconciler/store.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { programFile } from "../harness/program.ts";
import { sharedWatchdog, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

export interface AgentOptions {
  readonly natsUrl: string;
  readonly server: string;
  readonly data: string;
  readonly driver: "oci" | "process";
  readonly subnet: string;
  readonly atEnd?: "leave" | "stop";
  /** Of its edge; any free one unless told. */
  readonly edgePort?: number;
  /** The program; that of this version unless told. */
  readonly main?: string;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real agent, in a process of its own. */
export interface Agent {
  readonly pid: number;
  /** What it logged so far, a line each. */
  readonly lines: Record<string, unknown>[];
  ready(): Promise<void>;
  /** Asks it to end, as a supervisor does; resolves with its exit code. */
  stop(): Promise<number>;
  /** Ends it without a warning. */
  kill(): Promise<void>;
}

export const agentEnvironment = (options: AgentOptions) => ({
  ...CLEAN_ENVIRONMENT,
  TMPDIR: process.env.TMPDIR,
  NATS_URL: options.natsUrl,
  BERTH_SERVER_NAME: options.server,
  BERTH_DATA: options.data,
  BERTH_DRIVER: options.driver,
  BERTH_AT_END: options.atEnd ?? "",
  BERTH_CONTAINER_SUBNET: options.subnet,
  BERTH_EDGE_LISTEN: "127.0.0.1",
  BERTH_EDGE_PORT: String(options.edgePort ?? 0),
  BERTH_EDGE_HTTP_PORT: "0",
  ...options.env,
});

export const MAIN = join(import.meta.dir, "../../agents/main.ts");

/** Certificates of earlier agents, by the name of their server. Making one is a quarter of the work of an agent's first start. */
const CERTIFICATES = join(process.env.BERTH_TEST_STACK === undefined ? temporaryFolder() : tmpdir(), "tls");

/** Where an agent keeps its certificate. */
const certificateFolder = ({ data }: AgentOptions) => join(data, "edge", "tls");

/** Gives an agent that starts for the first time what another one of its name made. */
function giveCertificate(options: AgentOptions): void {
  const [kept, own] = [join(CERTIFICATES, options.server), certificateFolder(options)];
  if (existsSync(kept) && !existsSync(own)) cpSync(kept, own, { recursive: true });
}

/** Keeps the certificate of an agent that runs. Whole or not at all: tests of other processes look at the same moment. */
function keepCertificate(options: AgentOptions): void {
  const [kept, own] = [join(CERTIFICATES, options.server), certificateFolder(options)];
  if (existsSync(kept) || !existsSync(own)) return;
  const copy = mkdtempSync(join(temporaryFolder(), "tls-"));
  cpSync(own, copy, { recursive: true });
  mkdirSync(CERTIFICATES, { recursive: true });
  try {
    renameSync(copy, kept);
  } catch {
    // Another test was first.
  }
}

export function startAgent(options: AgentOptions): Agent {
  giveCertificate(options);
  const child = Bun.spawn([process.execPath, options.main ?? programFile("agents/main.ts")], {
    env: agentEnvironment(options),
    stdout: "pipe",
    stderr: "inherit",
  });
  sharedWatchdog().watch(child.pid, "TERM");
  void child.exited.then(() => sharedWatchdog().forget(child.pid));
  const lines: Record<string, unknown>[] = [];
  void (async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) {
      text += decoder.decode(bytes, { stream: true });
      const whole = text.split("\n");
      text = whole.pop() ?? "";
      for (const line of whole) lines.push(JSON.parse(line));
      if (lines.some(({ msg }) => msg === "waiting for NATS" || msg === "ready")) keepCertificate(options);
    }
  })();
  return {
    pid: child.pid,
    lines,
    ready: async () => {
      await until(() => lines.some((line) => line.msg === "ready"));
    },
    stop: async () => {
      child.kill("SIGTERM");
      return child.exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** What an agent has on record of a container; null when it has no such container. */
export function recordOf(data: string, id: string): ContainerRecord | null {
  try {
    const record: unknown = JSON.parse(readFileSync(join(data, "containers", id, "state.json"), "utf8"));
    return Value.Check(ContainerRecord, record) ? record : null;
  } catch {
    return null;
  }
}

/** Ends the containers of an agent that is gone, and removes what it made on this host. For the end of a test. */
export async function cleanUp(options: AgentOptions): Promise<void> {
  let ids: string[] = [];
  try {
    ids = readdirSync(join(options.data, "containers"));
  } catch {
    // It never came so far.
  }
  for (const id of ids) {
    const record = recordOf(options.data, id);
    const pid = record?.init?.pid;
    try {
      if (pid !== undefined) process.kill(options.driver === "process" ? -pid : pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    if (options.driver === "process") continue;
    await removeGroup(groupOf({ id, tenant: record?.desired.project_id ?? null }));
  }
  if (options.driver !== "oci") return;
  await run(["nft", "delete", "table", "inet", firewallTableName(options.data)]).catch(() => "");
  await new HostNetwork(options.subnet).release();
}
