import { connect } from "node:net";

/** A desktop takes seconds to start; past this nobody believes in it any more. */
export const DISPLAY_MS_MAX = 60_000;
const ATTEMPT_MS_MAX = 2_000;
const POLL_MS = 100;

/** Opens a connection: byte order, protocol 11.0, and no authorization data. */
const SETUP = Uint8Array.of(0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0);
/** Failed, success, authenticate: each is the answer of a server that serves. */
const ANSWERS = [0, 1, 2];

/**
 * Whether the X server of a display answers. Its socket says nothing: the file is there before the server is ready, and
 * remains when the server is gone.
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

/** Waits until a display answers; false when it does not in time, or nobody waits any more. */
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
