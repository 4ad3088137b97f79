import type { Program } from "../../exec/program.ts";
import { displayName } from "../display.ts";
import type { Action, Urgency } from "../record.ts";
import { type Bus, type BusOptions, findBus } from "./bus.ts";
import { DesktopError, endOf, type RunOptions, run, start } from "./program.ts";

export interface Notice {
  readonly display: number;
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
  /** What the desktop shows as the program that it comes from. */
  readonly source: string | null;
  /** A name of the desktop's icons, or a path on its machine. */
  readonly icon: string | null;
  readonly timeout: number | null;
  readonly actions: readonly Action[];
}

/** A notice that the desktop has accepted. */
export interface Shown {
  readonly actions: readonly Action[];
  /** The notify-send process that waits for a choice; null without actions. */
  readonly waiting: Waiting | null;
}

export interface Waiting {
  /** The chosen action's name; null when the notice was closed without a choice. */
  readonly choice: Promise<string | null>;
  end(): void;
}

/** The first release with `--action` and `--print-id`. */
const ACTIONS_SINCE = [0, 8];
/** More than a number has. */
const NUMBER_CHARS_MAX = 32;

/** Shows a notice on a display. @throws DesktopError when the desktop did not accept it */
export async function show(notice: Notice, desktop: BusOptions, options: RunOptions): Promise<Shown> {
  const bus = await findBus(notice.display, desktop, options);
  const hasActions = notice.actions.length > 0 && (await canOfferActions(desktop, options));
  const actions = hasActions ? notice.actions : [];
  const argv = argvOf({ ...notice, actions }, bus);
  const env = { DBUS_SESSION_BUS_ADDRESS: bus.address, DISPLAY: displayName(notice.display) };
  if (hasActions) {
    const program = start(desktop.spawner, { argv, env });
    return { actions, waiting: await taken(program, options) };
  }
  const { code, stderr } = await run(desktop.spawner, { argv, env }, options);
  if (code !== 0) throw new DesktopError(`notify-send: ${stderr || `ended with ${code}`}`);
  return { actions, waiting: null };
}

function argvOf({ title, body, urgency, source, icon, timeout, actions }: Notice, { markup }: Bus): string[] {
  return [
    // With actions it says the notice's number once the desktop took it, and then waits. Into a pipe it would keep that to
    // itself until it ends.
    ...(actions.length > 0 ? ["stdbuf", "-oL"] : []),
    "notify-send",
    `--urgency=${urgency}`,
    ...(source === null ? [] : [`--app-name=${source}`]),
    ...(icon === null ? [] : [`--icon=${icon}`]),
    ...(timeout === null ? [] : [`--expire-time=${timeout}`]),
    ...(actions.length > 0 ? ["--print-id"] : []),
    ...actions.map(({ name, label }) => `--action=${name}=${label}`),
    "--",
    title,
    escapeBody(body, markup),
  ];
}

const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Escapes a body, so that it is shown as written: notify-send interprets backslashes, and a desktop with markup
 * interprets `&`, `<` and `>`. Neither interprets a title.
 */
export function escapeBody(text: string, markup: boolean): string {
  const plain = markup ? text.replace(/[&<>]/g, (one) => MARKUP[one] ?? one) : text;
  return plain.replaceAll("\\", "\\\\");
}

async function canOfferActions({ spawner }: BusOptions, options: RunOptions): Promise<boolean> {
  const argv = ["/bin/sh", "-c", "command -v stdbuf >/dev/null && exec notify-send --version"];
  const { code, stdout } = await run(spawner, { argv }, options);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  if (code !== 0 || major === undefined) return false;
  const [sinceMajor = 0, sinceMinor = 0] = ACTIONS_SINCE;
  return Number(major) > sinceMajor || (Number(major) === sinceMajor && Number(minor) >= sinceMinor);
}

/** Waits until the desktop has accepted a notice, when notify-send prints its number; the choice comes later. */
async function taken(program: Program, { signal }: RunOptions): Promise<Waiting> {
  const over = new AbortController();
  let said = "";
  const isTaken = Promise.withResolvers<void>();
  const heard = (piece: Uint8Array) => {
    if (said.length < NUMBER_CHARS_MAX) said += Buffer.from(piece).toString();
    if (/^\d+\n/.test(said)) isTaken.resolve();
  };
  const outcome = endOf(program, "notify-send", { signal: over.signal, heard });
  const end = () => over.abort();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  try {
    const ended = await Promise.race([isTaken.promise, outcome]);
    if (ended !== undefined && ended.code !== 0) {
      throw new DesktopError(`notify-send: ${ended.stderr || `ended with ${ended.code}`}`);
    }
  } finally {
    signal.removeEventListener("abort", end);
  }
  const choice = outcome.then(
    ({ stdout }) => stdout.toString().split("\n")[1]?.trim() || null,
    () => null,
  );
  return { choice, end };
}
