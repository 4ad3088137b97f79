import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import { displayName } from "../display.ts";
import { BUSES_MAX } from "../limits.ts";
import { DesktopError, NotInstalled, type RunOptions, run } from "./program.ts";
import type { Spawner } from "./spawner.ts";

const FIND = readShellScript(join(import.meta.dir, "find-bus.sh"));
/** Sockets of this machine: nothing that runs a program (`unixexec:`) or goes over a network. */
const ADDRESS = /^unix:(path|abstract)=[^\s;]{1,500}$/;

/** Long enough for a notification daemon that the request starts, and shorter than a delivery's time limit. */
const ANSWER_MS_MAX = 4_000;
const ASK = [
  ...["dbus-send", "--session", "--print-reply", `--reply-timeout=${ANSWER_MS_MAX}`],
  "--dest=org.freedesktop.Notifications",
  "/org/freedesktop/Notifications",
  "org.freedesktop.Notifications.GetCapabilities",
];

export interface Bus {
  readonly address: string;
  /** Whether the desktop reads `<b>` and `&amp;` in a body as markup. */
  readonly markup: boolean;
}

export interface BusOptions {
  readonly spawner: Spawner;
  /** Addresses of session buses that the operator names, by display. */
  readonly buses: ReadonlyMap<number, string>;
}

/**
 * The session bus of a display's notification daemon: the configured one, or the first of those found by
 * `find-bus.sh` on which the daemon responds. Without `dbus-send` the most likely one is used.
 *
 * @throws DesktopError
 */
export async function findBus(
  display: number,
  { spawner, buses }: BusOptions,
  options: RunOptions,
): Promise<Bus> {
  const set = buses.get(display);
  const addresses = set === undefined ? await find(display, spawner, options) : [set];
  let reason = "";
  for (const address of addresses) {
    const { code, stdout, stderr } = await queryCapabilities(address, spawner, options);
    if (code === 0) return { address, markup: stdout.includes('"body-markup"') };
    reason ||= stderr;
  }
  const name = displayName(display);
  throw new DesktopError(
    addresses.length === 0
      ? `display ${name} has no session bus: no desktop of this user runs on it. Start an X server and a desktop there, then send again`
      : `no notification daemon answers on the session bus of display ${name}: ${reason}`,
  );
}

async function find(display: number, spawner: Spawner, options: RunOptions): Promise<string[]> {
  const { stdout } = await run(spawner, { argv: ["/bin/sh", "-c", FIND, "sh", String(display)] }, options);
  const found = stdout.toString().split("\n");
  return [...new Set(found.filter((address) => ADDRESS.test(address)))].slice(0, BUSES_MAX);
}

async function queryCapabilities(address: string, spawner: Spawner, options: RunOptions) {
  const request = { argv: ASK, env: { DBUS_SESSION_BUS_ADDRESS: address } };
  try {
    return await run(spawner, request, options);
  } catch (cause) {
    if (!(cause instanceof NotInstalled)) throw cause;
    // Nearly every daemon supports markup.
    return { code: 0, stdout: '"body-markup"', stderr: "" };
  }
}
