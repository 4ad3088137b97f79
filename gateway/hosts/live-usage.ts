import type { Bus } from "../../actors/runtime/ports.ts";
import { HostUsage } from "../../schemas/hosting/usage.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { askHost, hostQuestion, type Request } from "./ask-host.ts";

/** A host is read at most this often, however often pages poll. */
const KEPT_MS = 2_000;
/**
 * A host needs a fifth of a second for its two readings of CPU time; one that needs longer than this counts as
 * silent.
 */
const ANSWERED_WITHIN_MS = 3_000;
/** Readings that are cached: about 1 kB each, more for hosts with many containers. */
const KEPT_MAX = 1_000;

/** About 100 characters for each container of a host. */
const ANSWER_LENGTH_MAX = 1_000_000;
const USAGE = hostQuestion("usage", HostUsage, ANSWER_LENGTH_MAX);

/** Reads the present use of a server's host. @throws HOST_SILENT */
export type LiveUsage = (serverName: string) => Promise<HostUsage>;

/** Asks hosts' agents: one request at a time for each host, whose reply is cached for a moment. */
export function liveUsage(
  request: Request,
  now: () => number = () => performance.now(),
  dropped: Bus["dropped"] = () => {},
): LiveUsage {
  const kept = new BoundedMap<string, { reading: Promise<HostUsage>; untilMs: number }>(KEPT_MAX);
  const ask = askHost(request, dropped);

  return (serverName) => {
    const known = kept.get(serverName);
    if (known !== undefined && now() < known.untilMs) return known.reading;
    const reading = ask(serverName, USAGE, null, ANSWERED_WITHIN_MS);
    // All callers share a request in progress; its reply is cached from its arrival on.
    const entry = { reading, untilMs: Number.POSITIVE_INFINITY };
    kept.set(serverName, entry);
    reading.then(
      () => {
        entry.untilMs = now() + KEPT_MS;
      },
      () => kept.get(serverName) === entry && kept.delete(serverName),
    );
    return reading;
  };
}
