import { Value } from "@sinclair/typebox/value";
import type { Bus } from "../../actors/runtime/ports.ts";
import { DomainError } from "../../schemas/errors.ts";
import { HostUsage } from "../../schemas/hosting/usage.ts";
import { storableJsonOf } from "../../schemas/received.ts";
import { agentSubject } from "../../schemas/subjects.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

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
const readUsage = storableJsonOf(HostUsage, ANSWER_LENGTH_MAX);

const silent = () => new DomainError("HOST_SILENT", "The server's host does not answer");

/** Reads the present use of a server's host. @throws HOST_SILENT */
export type LiveUsage = (serverName: string) => Promise<HostUsage>;

/** Asks hosts' agents: one request at a time for each host, whose reply is cached for a moment. */
export function liveUsage(
  request: (subject: string, text: string, timeoutMs: number) => Promise<string>,
  now: () => number = () => performance.now(),
  dropped: Bus["dropped"] = () => {},
): LiveUsage {
  const kept = new BoundedMap<string, { reading: Promise<HostUsage>; untilMs: number }>(KEPT_MAX);

  async function requestUsage(serverName: string): Promise<HostUsage> {
    const answer = await request(agentSubject(serverName, "usage"), "", ANSWERED_WITHIN_MS).catch(() => {
      throw silent();
    });
    const received = readUsage(answer);
    if ("reason" in received) {
      dropped("host-usage", `the reply of ${serverName} is ${received.reason}`);
      throw silent();
    }
    // Unknown fields of a host's reply are not passed on.
    return Value.Clean(HostUsage, received.value) as HostUsage;
  }

  return (serverName) => {
    const known = kept.get(serverName);
    if (known !== undefined && now() < known.untilMs) return known.reading;
    const reading = requestUsage(serverName);
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
