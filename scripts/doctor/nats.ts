import type { JetStreamManager } from "nats";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { EVENT_STREAM } from "../../schemas/subjects.ts";
import { serversOf } from "../../system/nats-url.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** Live readers are within some messages of the end. */
const LAG_MAX = 10_000;
const FULL_PART = 0.9;
const BYTES_PER_MEGABYTE = 2 ** 20;
const CONNECTED_MS_MAX = 2_000;

/** @param url with the control plane's credentials */
export async function checkNats(url: string): Promise<Finding[]> {
  const bus = await natsBus(url, "berth-doctor").catch((error: Error) => error);
  if (bus instanceof Error)
    return [
      fault(
        "NATS",
        `${serversOf(url).servers.join(", ")} cannot be used: ${bus.message}`,
        "start it, or correct NATS_URL (docs/operations.md, NATS). Changes wait until it is back",
      ),
    ];
  try {
    const version = ok("NATS", `version ${bus.connection.info?.version}`);
    const manager = await bus.connection.jetstreamManager().catch(() => null);
    const known = [version, ...(await checkServers(url))];
    if (manager === null)
      return [
        ...known,
        fault(
          "JetStream",
          "does not answer: half of its servers or more are away, or it is off. Changes are kept, and wait for it",
          "start the servers; turn it on in nats.conf: jetstream { store_dir: … }",
        ),
      ];
    return [...known, await checkRoom(manager), ...(await checkStreams(manager))];
  } finally {
    await bus.close();
  }
}

/** Whether each of several servers takes connections: clients go to any of them, and notice nothing of one that is away. */
async function checkServers(url: string): Promise<Finding[]> {
  const { servers } = serversOf(url);
  if (servers.length === 1) return [];
  const away: string[] = [];
  await Promise.all(servers.map(async (server) => (await takesConnections(server)) || away.push(server)));
  if (away.length === 0) return [ok("NATS servers", `all ${servers.length} take connections`)];
  return [
    warning(
      "NATS servers",
      `${away.length} of ${servers.length} cannot be reached: ${away.toSorted().join(", ")}`,
      "start nats-server there: the cluster stands the loss of less than half of them",
    ),
  ];
}

/** @param server `host:port` */
async function takesConnections(server: string): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`);
  // Bun writes an IPv6 address of a connection without brackets.
  const connected = Bun.connect({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port),
    socket: { data: () => undefined },
  }).then((socket) => {
    socket.end();
    return true;
  });
  return Promise.race([connected, Bun.sleep(CONNECTED_MS_MAX).then(() => false)]).catch(() => false);
}

async function checkRoom(manager: JetStreamManager): Promise<Finding> {
  const { storage, limits } = await manager.getAccountInfo();
  return judgeRoom(storage, limits.max_storage);
}

/** @param max negative: the account has no limit */
export function judgeRoom(bytes: number, max: number): Finding {
  const found = `${Math.ceil(bytes / BYTES_PER_MEGABYTE)} MB${max > 0 ? ` of ${Math.floor(max / BYTES_PER_MEGABYTE)} MB` : ""}`;
  if (max <= 0 || bytes < max * FULL_PART) return ok("JetStream", found);
  return fault("JetStream", found, "raise max_file_store of NATS, or the storage limit of its account");
}

async function checkStreams(manager: JetStreamManager): Promise<Finding[]> {
  const stream = await manager.streams.info(EVENT_STREAM).catch(() => null);
  if (stream === null)
    return [
      // A cluster that is new has had no event yet.
      warning(
        "event stream",
        `there is no stream ${EVENT_STREAM}`,
        "an actor host makes it with the next event, such as a sign-up: see that one runs",
      ),
    ];
  const findings = [ok("event stream", `${stream.state.messages} events`)];
  for await (const { name, num_pending } of manager.consumers.list(EVENT_STREAM))
    findings.push(judgeLag(name, num_pending));
  return findings;
}

export function judgeLag(consumer: string, pending: number): Finding {
  const found = `${consumer} is ${pending} events behind`;
  if (pending <= LAG_MAX) return ok("event stream", found);
  return warning("event stream", found, "see that actor hosts and gateways have processor time");
}
