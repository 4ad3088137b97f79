import { chmodSync, unlinkSync } from "node:fs";
import { startOrphanWatchdog } from "./orphan-watchdog.ts";
import { PtyHost } from "./pty-host.ts";
import { SOCKET } from "./socket-path.ts";

/**
 * The PTY host of one agent's terminals, which the agent starts on demand: `bun pty-host/main.ts FOLDER`. It keeps
 * their programs running while the agent is down. SIGTERM ends it with all its programs.
 */

/** How long an idle PTY host waits for a restarted agent before it ends. */
const IDLE_MS = 30_000;

const [folder = "."] = process.argv.slice(2);
// Relative paths: the path of a socket has at most 107 bytes, and that of the folder may be longer.
process.chdir(folder);

const isThere = await Bun.connect({ unix: SOCKET, socket: { data: () => undefined } }).then(
  (socket) => {
    socket.end();
    return true;
  },
  () => false,
);
if (isThere) process.exit(0);
try {
  unlinkSync(SOCKET);
} catch {
  // There was no old socket.
}

const ptyHost = new PtyHost({ watchdog: startOrphanWatchdog(), idleMs: IDLE_MS, onIdle: () => end() });
const listener = Bun.listen({ unix: SOCKET, socket: ptyHost.handler as never });
chmodSync(SOCKET, 0o600);
console.log(new Date().toISOString(), `PTY host ${process.pid} is ready`);

function end(): void {
  // No other agent may connect any more.
  listener.stop(true);
  console.log(new Date().toISOString(), `PTY host ${process.pid} ends`);
  process.exit(0);
}
process.once("SIGTERM", async () => {
  await ptyHost.endAll();
  end();
});
// Ignored, in case it was started from a terminal.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
