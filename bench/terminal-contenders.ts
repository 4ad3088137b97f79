import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startOrphanWatchdog } from "../scripts/orphan-watchdog.ts";
import { freePort } from "../scripts/ports.ts";
import { findProgram } from "../scripts/programs.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { children, cpuSeconds, ownSeconds } from "./cpu.ts";
import { installPeers, peerProgram } from "./peers.ts";

/** Web terminals, each as a process of its own, and a client for its protocol that does what its page does. */

export interface TerminalClient {
  write(text: string): void;
  /** Called with all output, and for Berth also with snapshots. */
  onOutput: (output: string) => void;
  close(): void;
}

export interface RunningTerminal {
  readonly pid: number;
  open(): Promise<TerminalClient>;
  /** The most memory that the server has held, in MiB. */
  peakMiB(): number;
  /** Seconds of CPU so far: the server's, and those of the programs on its terminals. */
  cpu(): { server: number; programs: number };
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  start(): Promise<RunningTerminal>;
}

/** A server or a shell that is not there by then does not come. */
const START_MS_MAX = 20_000;
const SHELL = ["bash", "--norc", "--noprofile"];

/** Berth first, then who is there: wetty always, ttyd where the machine has it. */
export async function contenders(): Promise<{ all: Contender[]; versions: Record<string, string> }> {
  const { wetty = "" } = await installPeers("wetty");
  const ttyd = findProgram("ttyd");
  return {
    all: [berth, wettyPeer, ...(ttyd === undefined ? [] : [ttydPeer(ttyd)])],
    versions: { wetty },
  };
}

const watchdog = startOrphanWatchdog();

async function startServer(argv: string[], url: string) {
  const child = Bun.spawn(argv, { stdio: ["ignore", "ignore", "ignore"] });
  watchdog.watch(child.pid, "TERM");
  await soon(async () => (await fetch(url)).status < 500, `${argv[0]} at ${url}`);
  return {
    pid: child.pid,
    peakMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    cpu() {
      // A shell is a child of the server; its `seq` is counted as the shell's child when it has ended.
      const server = ownSeconds(child.pid);
      const programs = children(child.pid).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
      return { server, programs };
    },
    stop: async () => {
      child.kill();
      await child.exited;
      watchdog.forget(child.pid);
    },
  };
}

export const berth: Contender = {
  name: "Berth",
  async start() {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const main = join(import.meta.dir, "../agents/terminal/main.ts");
    const argv = [process.execPath, main, "--port", String(port), "--", ...SHELL];
    const server = await startServer(argv, `${origin}/api/v1/terminal/openapi.json`);
    const open = async (): Promise<TerminalClient> => {
      const html = await (await fetch(origin)).text();
      const boot = /id="boot"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "{}";
      const { token } = JSON.parse(boot) as { token: string };
      const headers = { origin };
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/terminal/ws`, { headers } as never);
      socket.binaryType = "arraybuffer";
      const client: TerminalClient = {
        write: (text) => socket.send(Buffer.from(text)),
        onOutput: () => undefined,
        close: () => socket.close(),
      };
      let shown = 0;
      let acked = 0;
      let snapshots = 0;
      socket.onopen = () => socket.send(JSON.stringify({ type: "attach", token, cols: 80, rows: 24 }));
      socket.onmessage = ({ data }) => {
        if (typeof data === "string") return;
        snapshots += 1;
        shown += (data as ArrayBuffer).byteLength;
        client.onOutput(Buffer.from(data as ArrayBuffer).toString("latin1"));
        // As the page: in pieces of 64 KiB, and when output pauses.
        if (shown - acked >= 65_536) {
          acked = shown;
          socket.send(JSON.stringify({ type: "ack", bytes: shown }));
        }
      };
      await soon(() => snapshots > 0, "a session of Berth");
      return client;
    };
    return { ...server, open };
  },
};

interface SocketIo {
  on(event: string, act: (data: string) => void): void;
  emit(event: string, data: unknown): void;
  disconnect(): void;
}

const wettyPeer: Contender = {
  name: "wetty",
  async start() {
    const port = await freePort();
    const folder = peerProgram("wetty");
    const node = findProgram("node");
    if (node === undefined) throw new SetupError("wetty needs Node");
    const program = join(folder, "node_modules/.bin/wetty");
    const options = [
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--base",
      "/wetty",
      "--command",
      SHELL.join(" "),
    ];
    const server = await startServer([node, program, ...options], `http://127.0.0.1:${port}/wetty`);
    const { io } = createRequire(join(folder, "package.json"))("socket.io-client") as {
      io: (url: string, options: unknown) => SocketIo;
    };
    const open = async (): Promise<TerminalClient> => {
      const socket = io(`http://127.0.0.1:${port}`, {
        path: "/wetty/socket.io",
        transports: ["websocket"],
        forceNew: true,
      });
      const client: TerminalClient = {
        write: (text) => socket.emit("input", text),
        onOutput: () => undefined,
        close: () => socket.disconnect(),
      };
      let prompts = 0;
      socket.on("connect", () => socket.emit("resize", { cols: 80, rows: 24 }));
      socket.on("data", (text) => {
        prompts += 1;
        client.onOutput(text);
        socket.emit("commit", text.length);
      });
      await soon(() => prompts > 0, "a session of wetty");
      return client;
    };
    return { ...server, open };
  },
};

const ttydPeer = (program: string): Contender => ({
  name: "ttyd",
  async start() {
    const port = await freePort();
    const argv = [program, "-W", "-i", "127.0.0.1", "-p", String(port), ...SHELL];
    const server = await startServer(argv, `http://127.0.0.1:${port}/`);
    const open = async (): Promise<TerminalClient> => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ["tty"]);
      socket.binaryType = "arraybuffer";
      const client: TerminalClient = {
        write: (text) => socket.send(Buffer.from(`0${text}`)),
        onOutput: () => undefined,
        close: () => socket.close(),
      };
      let prompts = 0;
      socket.onopen = () =>
        socket.send(Buffer.from(JSON.stringify({ AuthToken: "", columns: 80, rows: 24 })));
      socket.onmessage = ({ data }) => {
        const text = Buffer.from(data as ArrayBuffer).toString("latin1");
        if (text[0] !== "0") return;
        prompts += 1;
        client.onOutput(text.slice(1));
      };
      await soon(() => prompts > 0, "a session of ttyd");
      return client;
    };
    return { ...server, open };
  },
});

async function soon(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const limit = performance.now() + START_MS_MAX;
  while (performance.now() < limit) {
    if (await Promise.resolve(holds()).catch(() => false)) return;
    await Bun.sleep(20);
  }
  throw new SetupError(`${what} does not answer`);
}

/** Writes a line and resolves when its marker is in the output. The marker must not be in the line itself. */
export function finished(client: TerminalClient, line: string, marker: string): Promise<{ chars: number }> {
  return new Promise((resolve) => {
    let end = "";
    let chars = 0;
    client.onOutput = (output) => {
      chars += output.length;
      end = (end + output).slice(-Math.max(output.length, 4096) - marker.length);
      if (!end.includes(marker)) return;
      client.onOutput = () => undefined;
      resolve({ chars });
    };
    client.write(line);
  });
}
