import { chmodSync, unlinkSync } from "node:fs";
import { startOrphanWatchdog } from "./orphan-watchdog.ts";
import { PtyHost } from "./pty-host.ts";
import { SOCKET } from "./socket-path.ts";

/**
 * The PTY host of one agent's terminals, which the agent starts when it needs one: `bun pty-host/main.ts FOLDER`. It holds what runs on
 * them while the agent is away. SIGTERM ends it and all that it holds.
 */

/** An agent that is restarted is back by then; one that comes later finds nothing that it could have kept. */
const IDLE_MS = 30_000;

const [folder = "."] = process.argv.slice(2);
// The path of a socket has at most 107 bytes, and that of the folder may be longer.
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
  // There was none.
}

const ptyHost = new PtyHost({ watchdog: startOrphanWatchdog(), idleMs: IDLE_MS, onIdle: () => end() });
const listener = Bun.listen({ unix: SOCKET, socket: ptyHost.handler as never });
chmodSync(SOCKET, 0o600);
console.log(new Date().toISOString(), `PTY host ${process.pid} is ready`);

function end(): void {
  // No further agent may find it.
  listener.stop(true);
  console.log(new Date().toISOString(), `PTY host ${process.pid} ends`);
  process.exit(0);
}
process.once("SIGTERM", async () => {
  await ptyHost.endAll();
  end();
});
// Whoever started it may have had a terminal.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
