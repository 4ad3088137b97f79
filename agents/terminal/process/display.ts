import { connect } from "node:net";

/** A desktop takes seconds to start; after this time it counts as failed. */
export const DISPLAY_MS_MAX = 60_000;
const ATTEMPT_MS_MAX = 2_000;
const POLL_MS = 100;

/** Opens a connection: byte order, protocol 11.0, and no authorization data. */
const SETUP = Uint8Array.of(0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0);
/** Failed, success, authenticate: each is the reply of a running server. */
const ANSWERS = [0, 1, 2];

/**
 * Whether the X server of a display responds. Its socket's file proves nothing: it exists before the server is ready,
 * and remains after its end.
 */
export function isDisplayReady(display: number, folder = "/tmp/.X11-unix"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(`${folder}/X${display}`);
    const done = (ready: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(ready);
    };
    const timer = setTimeout(() => done(false), ATTEMPT_MS_MAX);
    socket.on("connect", () => socket.write(SETUP));
    socket.on("data", (answer: Uint8Array) => done(ANSWERS.includes(answer[0] ?? -1)));
    socket.on("error", () => done(false));
    socket.on("close", () => done(false));
  });
}

/** Waits until a display responds; false if it does not in time, or the wait was aborted. */
export async function waitForDisplay(
  isReady: () => Promise<boolean>,
  { signal, withinMs }: { signal: AbortSignal; withinMs: number },
): Promise<boolean> {
  const limit = performance.now() + withinMs;
  while (!signal.aborted && performance.now() < limit) {
    if (await isReady()) return true;
    await Bun.sleep(POLL_MS);
  }
  return false;
}
