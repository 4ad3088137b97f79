import { type JetStreamClient, type KV, nanos } from "nats";
import { REPORT_LENGTH_MAX } from "../../../schemas/hosting/desired.ts";
import { desiredBucket, desiredFeed, kvSubject, statusBucket } from "../../../schemas/subjects.ts";
import { openBucket } from "../../platform/kv.ts";

/** Reports of a removed host expire by themselves. */
const STATUS_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Limits of a host's two buckets. JetStream reserves `max_bytes`, so one host can never fill more. The largest value of the desired
 * state is a firewall (`BERTH_FIREWALL_MAX_BYTES` allows up to 512 KiB of rules); a status has some hundreds of bytes. There is
 * room for a thousand containers with ordinary rules.
 */
const DESIRED_LIMITS = { max_bytes: 64 * 1024 * 1024, max_msg_size: 2 * 1024 * 1024 };
const STATUS_LIMITS = {
  max_bytes: 16 * 1024 * 1024,
  max_msg_size: REPORT_LENGTH_MAX,
  max_age: nanos(STATUS_DAYS * DAY_MS),
};

/** Opens a host's bucket of desired state; creates it when it is missing. `replicas`: the NATS servers that keep it. */
export function openDesiredBucket(jetstream: JetStreamClient, serverName: string, replicas = 1): Promise<KV> {
  const name = desiredBucket(serverName);
  return openBucket(jetstream, name, {
    ...DESIRED_LIMITS,
    num_replicas: replicas,
    // Hosts subscribe to this subject. They may not create consumers, since they could choose any deliver subject.
    republish: { src: kvSubject(name, ">"), dest: `${desiredFeed(serverName)}.>` },
  });
}

/** Opens a host's bucket of reports; creates it when it is missing. */
export const openStatusBucket = (jetstream: JetStreamClient, serverName: string, replicas = 1): Promise<KV> =>
  openBucket(jetstream, statusBucket(serverName), { ...STATUS_LIMITS, num_replicas: replicas });
