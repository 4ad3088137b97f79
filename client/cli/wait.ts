import type { EventRecord } from "../index.ts";
import type { Cli } from "./cli.ts";
import { Refused } from "./failures.ts";

/** A host pulls an image in the meantime. */
export const WAIT_SECONDS = "300";

export interface Waiting<Found> {
  /** What the user waits for, for the message when it does not come. */
  readonly what: string;
  readonly timeoutSeconds: number;
  /** Makes the change, once events arrive, so that none of its events is missed. */
  readonly change?: () => Promise<unknown>;
  /** The result, once it is there. It is asked after the change and after each event, of which it gets the record. */
  readonly check: (event?: EventRecord) => Promise<Found | undefined>;
}

/** Waits by following events. @throws Refused when the time is over; whatever the change or the check throws */
export async function waitFor<Found>(cli: Cli, waiting: Waiting<Found>): Promise<Found> {
  const { change, check, timeoutSeconds, what } = waiting;
  const api = await cli.api();
  const done = new AbortController();
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  const signal = AbortSignal.any([done.signal, timeout, cli.io.interrupted]);
  let changed: Promise<unknown> | undefined;
  let outcome: { found: Found } | { failure: unknown } | undefined;
  const attempt = async (event?: EventRecord) => {
    try {
      changed ??= Promise.resolve(change?.());
      await changed;
      const found = await check(event);
      if (found !== undefined) outcome ??= { found };
    } catch (failure) {
      outcome ??= { failure };
    }
    if (outcome !== undefined) done.abort();
  };
  const opened = (state: "open" | "broken") => void (state === "open" && attempt());
  for await (const { data } of api.events(signal, opened)) await attempt(recordOf(data));
  if (outcome === undefined)
    throw new Refused(timeout.aborted ? `${what} did not happen within ${timeoutSeconds} s` : "interrupted");
  if ("failure" in outcome) throw outcome.failure;
  return outcome.found;
}

/** Of a `gap` too, which has no record: then the state itself tells. */
function recordOf(data: string): EventRecord | undefined {
  try {
    return JSON.parse(data) as EventRecord;
  } catch {
    return undefined;
  }
}
