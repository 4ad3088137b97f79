import { Value } from "@sinclair/typebox/value";
import type { Bus } from "../../actors/runtime/ports.ts";
import { DomainError } from "../../schemas/errors.ts";
import { HostUsage } from "../../schemas/hosting/usage.ts";
import { storableJsonOf } from "../../schemas/received.ts";
import { agentSubject } from "../../schemas/subjects.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

/** Polling as often as a page likes reads a host no more often than this. */
const KEPT_MS = 2_000;
/** A host takes a fifth of a second to look twice; one that has not answered by now is away. */
const ANSWERED_WITHIN_MS = 3_000;
/** Hosts that were looked at lately; about 1 kB each, and more where there are many containers. */
const KEPT_MAX = 1_000;

/** About 100 characters for each container of a host. */
const ANSWER_LENGTH_MAX = 1_000_000;
const readUsage = storableJsonOf(HostUsage, ANSWER_LENGTH_MAX);

const silent = () => new DomainError("HOST_SILENT", "The server's host does not answer");

/** What a server's host uses just now. @throws HOST_SILENT */
export type LiveUsage = (serverName: string) => Promise<HostUsage>;

/** Asks hosts' agents; one question at a time for each, whose answer is kept for a moment. */
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
      dropped("host-usage", `${serverName} answered what is ${received.reason}`);
      throw silent();
    }
    // Nothing else of a host's answer goes out.
    return Value.Clean(HostUsage, received.value) as HostUsage;
  }

  return (serverName) => {
    const known = kept.get(serverName);
    if (known !== undefined && now() < known.untilMs) return known.reading;
    const reading = requestUsage(serverName);
    // Until it is there everybody waits for it; from then on it is kept for its time.
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
