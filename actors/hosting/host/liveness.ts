import { isDeepStrictEqual } from "node:util";
import { Type } from "@sinclair/typebox";
import type { Logger } from "pino";
import { HostFacts } from "../../../schemas/hosting/host.ts";
import { storableJsonOf } from "../../../schemas/received.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { type KnownHost, listHostFacts } from "./queries.ts";

/** With the time that a ping may take, two of them are missed within 20 s. */
const INTERVAL_MS = 5_000;
/** A single lost message must not show. */
const SILENT_AFTER_PINGS = 2;
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
  /** Whether NATS can be reached. */
  isConnected(): boolean;
}

/** Asks each host how it is, and records what its agent says of the machine, or that it is silent. */
export function livenessReconciler(options: LivenessOptions): Reconciler {
  const { db, log, owns } = options;
  /** Pings in a row that each host has missed. */
  const missed = new Map<string, number>();

  async function check(host: KnownHost): Promise<void> {
    const { id, name, silent_since } = host;
    const facts = await options.ping(name).then(factsOf, () => undefined);
    if (facts !== undefined) {
      missed.delete(id);
      if (isNews(host, facts)) await options.actors.host(id).report({ facts });
      return;
    }
    // Without NATS no host answers, which says nothing about the hosts.
    if (!options.isConnected()) return;
    const count = (missed.get(id) ?? 0) + 1;
    missed.set(id, count);
    if (count >= SILENT_AFTER_PINGS && silent_since === null)
      await options.actors.host(id).record_silence({});
  }

  return {
    name: "host-liveness",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const hosts = (await listHostFacts(db)).filter(({ id }) => owns("host", id));
      const ids = new Set(hosts.map(({ id }) => id));
      for (const id of missed.keys()) if (!ids.has(id)) missed.delete(id);
      await Promise.all(
        hosts.map((host) =>
          check(host).catch((error) =>
            log.warn({ err: error, host: host.name }, "how a host is was not recorded"),
          ),
        ),
      );
    },
  };
}

function isNews({ last_seen_at, silent_since, facts: known }: KnownHost, facts: HostFacts): boolean {
  const isRecent = last_seen_at !== null && Date.now() - last_seen_at.getTime() < SEEN_EVERY_MS;
  return !isRecent || silent_since !== null || !isDeepStrictEqual(withoutUse(facts), withoutUse(known));
}

function factsOf(reply: string): HostFacts | undefined {
  const received = readReply(reply);
  return "value" in received ? received.value.facts : undefined;
}

/** The free space changes all the time. */
const withoutUse = (facts: HostFacts | null) => facts && { ...facts, disk_free_bytes: 0 };
