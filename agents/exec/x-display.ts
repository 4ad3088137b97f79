import { join } from "node:path";
import type { LocalServer } from "./relay.ts";
import { readShellScript } from "./shell-script.ts";
import { describeBound } from "./short-run.ts";
import type { ExecTarget } from "./target.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "x-display.sh"));

/** An X server is up within a second; on a busy machine it takes ten. */
const START_MS_MAX = 30_000;

/** Why there is no display, by the script's exit status. */
const REASONS: Readonly<Record<number, string>> = {
  20: "the container has no X server: its image needs tigervnc-standalone-server, or xvfb with x11vnc",
  21: "its X server speaks no VNC: install x11vnc, or start the display with Xvnc",
  22: "its folder in /tmp belongs to somebody else",
  23: "it has to be protected from the machine's other users: install xauth",
  24: "its X server did not come up",
};

/** On a busy machine an X server may be there a moment later. */
const NOT_UP = 24;

/** A display cannot be shown; the message says why, in a few words. */
export class DisplayError extends Error {
  override readonly name = "DisplayError";
  /** Whether it may be shown a moment later, though nobody changes anything. */
  readonly isTemporary: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTemporary?: boolean } = {}) {
    super(message, options);
    this.isTemporary = options.isTemporary ?? false;
  }
}

export interface DisplayStart {
  /** Whose programs it shows; null: the service's own user. */
  readonly user: string | null;
  /** What starts with a display that is not there yet: a desktop, or at least a window manager; a window manager; or the X server alone. */
  readonly with: "session" | "windows" | "nothing";
  /** Whether other people use the machine: the display is then for its user alone. */
  readonly isShared: boolean;
}

/**
 * Finds a display's VNC server, and starts the display when it is not there.
 *
 * @throws DisplayError
 */
export async function ensureDisplay(
  target: ExecTarget,
  display: number,
  start: DisplayStart,
): Promise<LocalServer> {
  const { user, with: programs, isShared } = start;
  const argv = scriptArgv(String(display), programs, isShared ? "shared" : "", "");
  const found = await target.run({ user, argv, msMax: START_MS_MAX });
  if (found.boundMet !== null)
    throw new DisplayError(`the display: ${describeBound(found)}`, { isTemporary: true });
  const [kind, where = ""] = found.stdout.trim().split(" ");
  if (found.code === 0 && kind === "unix") return { path: where };
  if (found.code === 0 && kind === "tcp") return { port: Number(where) };
  throw new DisplayError(REASONS[found.code ?? 0] ?? "no program can be started there to look for it", {
    isTemporary: found.code === NOT_UP,
  });
}

/** Whether an X server has the display. */
export async function hasDisplay(target: ExecTarget, display: number): Promise<boolean> {
  const { stdout } = await target.run({
    user: null,
    argv: scriptArgv(String(display), "nothing", "", "look"),
  });
  return stdout.trim() === "x";
}

const scriptArgv = (...words: string[]) => ["/bin/sh", "-c", SCRIPT, "display", ...words];
