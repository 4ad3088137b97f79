import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/ports.ts";
import { findProgram } from "../../scripts/programs.ts";
import { SetupError } from "../../scripts/setup-error.ts";
import { until } from "../../test/harness/until.ts";
import { installPeers, peerProgram } from "../peers.ts";

/** A server of pipes that is measured. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Where a pipe of this name is, for so many receivers. */
  path(name: string, n: number): string;
  stop(): Promise<void>;
}

export interface Field {
  readonly contenders: readonly Contender[];
  readonly versions: Readonly<Record<string, string>>;
}

const PIPE = join(import.meta.dir, "../../agents/pipe/main.ts");
/** All connections of a bench come from one address. */
const PARTIES = "20000";

/** Berth's pipe on Bun, and piping-server on Node. @throws SetupError when a peer can't be had */
export async function startField(): Promise<Field> {
  const versions = await installPeers("piping-server");
  const node = findProgram("node");
  if (node === undefined) throw new SetupError("piping-server runs on Node, which is not installed");
  const program = peerProgram("piping-server/node_modules/piping-server/dist/src/index.js");
  const nodeVersion = Bun.spawnSync([node, "--version"]).stdout.toString().trim().slice(1);
  const berth = await start(
    "Berth",
    (port) => [process.execPath, PIPE, "--port", `${port}`, "--per-address", PARTIES, "--peers", PARTIES],
    (name, n) => `/api/v1/pipe/${name}?n=${n}`,
  );
  const peer = await start(
    "piping-server",
    (port) => [node, program, `--http-port=${port}`, "--host=127.0.0.1"],
    (name, n) => `/${name}?n=${n}`,
  );
  return { contenders: [berth, peer], versions: { ...versions, Node: nodeVersion } };
}

async function start(
  name: string,
  argv: (port: number) => string[],
  path: Contender["path"],
): Promise<Contender> {
  const port = await freePort();
  const child = Bun.spawn(argv(port), { stdio: ["ignore", "ignore", "inherit"] });
  await until(() => fetch(`http://127.0.0.1:${port}/help`).then((answer) => answer.ok));
  return {
    name,
    pid: child.pid,
    port,
    path,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** The most memory that a process has had, in MB; 0 where nothing is known of it. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readOf(pid, "status"))?.[1];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

/** How many files and sockets a process has open. */
export function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
