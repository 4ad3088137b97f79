import { isDeepStrictEqual } from "node:util";
import { Type } from "@sinclair/typebox";
import type { Logger } from "pino";
import { HostFacts } from "../../../schemas/hosting/host.ts";
import { storableJsonOf } from "../../../schemas/received.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listHostFacts } from "./queries.ts";

/** A quarter of the time after which a silent host counts as offline: a single lost message must not show. */
const INTERVAL_MS = 15_000;
/** A host that says nothing new is recorded this often. */
const SEEN_EVERY_MS = 30_000;
/** A reply has some 400 characters. */
const REPLY_LENGTH_MAX = 4_096;

const readReply = storableJsonOf(Type.Object({ facts: HostFacts }), REPLY_LENGTH_MAX);

export interface LivenessOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
  /** The reply of a host's agent to a ping; rejects when there is none in time. */
  ping(serverName: string): Promise<string>;
}

/** Asks each host how it is, and records what its agent says of the machine. */
export function livenessReconciler({ db, actors, log, owns, ping }: LivenessOptions): Reconciler {
  return {
    name: "host-liveness",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const hosts = (await listHostFacts(db)).filter(({ id }) => owns("host", id));
      await Promise.all(
        hosts.map(async ({ id, name, facts: known, last_seen_at: seen }) => {
          const facts = await ping(name).then(factsOf, () => undefined);
          if (facts === undefined) return;
          const isRecent = seen !== null && Date.now() - seen.getTime() < SEEN_EVERY_MS;
          if (isRecent && isDeepStrictEqual(withoutUse(facts), withoutUse(known))) return;
          await actors
            .host(id)
            .report({ facts })
            .catch((error) => log.warn({ err: error, host: name }, "a host's facts were not recorded"));
        }),
      );
    },
  };
}

function factsOf(reply: string): HostFacts | undefined {
  const received = readReply(reply);
  return "value" in received ? received.value.facts : undefined;
}

/** The free space changes all the time. */
const withoutUse = (facts: HostFacts | null) => facts && { ...facts, disk_free_bytes: 0 };
