import {
  DiscardPolicy,
  type JetStreamClient,
  type KV,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { REPORT_LENGTH_MAX } from "../../../schemas/hosting/desired.ts";
import { desiredBucket, desiredFeed, kvSubject, statusBucket } from "../../../schemas/subjects.ts";

/** Reports of a removed host expire by themselves. */
const STATUS_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Each actor host reads a bucket through a few consumers at a time; those of a dead actor host are removed within minutes. */
const CONSUMERS_MAX = 256;

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

/** JetStream's code for a stream that exists with other settings. */
const OTHER_SETTINGS = 10_058;

/** Opens a host's bucket of desired state; creates it when it is missing. */
export function openDesiredBucket(jetstream: JetStreamClient, serverName: string): Promise<KV> {
  const name = desiredBucket(serverName);
  return openBucket(jetstream, name, {
    ...DESIRED_LIMITS,
    // Hosts subscribe to this subject. They may not create consumers, since they could choose any deliver subject.
    republish: { src: kvSubject(name, ">"), dest: `${desiredFeed(serverName)}.>` },
  });
}

/** Opens a host's bucket of reports; creates it when it is missing. */
export const openStatusBucket = (jetstream: JetStreamClient, serverName: string): Promise<KV> =>
  openBucket(jetstream, statusBucket(serverName), STATUS_LIMITS);

/** Creates a KV bucket as a stream, since the client's function for buckets cannot limit its consumers. */
async function openBucket(
  jetstream: JetStreamClient,
  name: string,
  limits: Partial<StreamConfig>,
): Promise<KV> {
  const manager = await jetstream.jetstreamManager(false);
  const stream = `KV_${name}`;
  try {
    await manager.streams.add({
      name: stream,
      subjects: [kvSubject(name, ">")],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_msgs_per_subject: 1,
      max_consumers: CONSUMERS_MAX,
      allow_direct: true,
      allow_rollup_hdrs: true,
      deny_delete: true,
      num_replicas: 1,
      ...limits,
    });
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== OTHER_SETTINGS) throw error;
    // It has the limits of an earlier version. The limit of consumers cannot be changed afterwards.
    const { config } = await manager.streams.info(stream);
    await manager.streams.update(stream, { ...config, ...limits });
  }
  return jetstream.views.kv(name, { bindOnly: true });
}
