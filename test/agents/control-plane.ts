import { connect, type KV, StringCodec } from "nats";
import { openDesiredBucket } from "../../actors/hosting/host/buckets.ts";
import type {
  ContainerStatus,
  DesiredContainer,
  DesiredFirewall,
  FirewallStatus,
} from "../../schemas/hosting/desired.ts";
import { agentSubject, desiredKey, statusBucket } from "../../schemas/subjects.ts";
import { nats, type TestNats } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** The control plane's side of a host's buckets, on a real nats-server with the agent's real permissions. */
export interface ControlPlane {
  readonly nats: TestNats;
  makeBuckets(): Promise<void>;
  loseBuckets(): Promise<void>;
  want(desired: DesiredContainer | DesiredFirewall): Promise<void>;
  /** Puts any text where a desired state should be. */
  putRaw(key: string, text: string): Promise<void>;
  container(id: string): Promise<ContainerStatus | null>;
  firewall(id: string): Promise<FirewallStatus | null>;
  /** Waits for a container to report a state, at a revision or later. */
  reported(id: string, state: ContainerStatus["state"], revision?: number): Promise<ContainerStatus>;
  ping(): Promise<unknown>;
  /** Each state that a container reported since its bucket was made. */
  history(id: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function controlPlane(server: string): Promise<ControlPlane> {
  const running = await nats({ servers: [server] });
  const { hostname, port, username, password } = new URL(running.url);
  const connection = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  const codec = StringCodec();
  let desired: KV;
  let status: KV;
  const makeBuckets = async () => {
    const views = connection.jetstream().views;
    desired = await openDesiredBucket(connection.jetstream(), server);
    status = await views.kv(statusBucket(server), { history: 64 });
  };
  const read = async <T>(key: string): Promise<T | null> => {
    const entry = await status.get(key);
    return entry ? entry.json<T>() : null;
  };
  const plane: ControlPlane = {
    nats: running,
    makeBuckets,
    loseBuckets: async () => {
      await desired.destroy();
      await status.destroy();
    },
    want: async (value) => {
      const key =
        "container_id" in value
          ? desiredKey("firewall", value.container_id)
          : desiredKey("container", value.id);
      await desired.put(key, codec.encode(JSON.stringify(value)));
    },
    putRaw: async (key, text) => {
      await desired.put(key, codec.encode(text));
    },
    container: (id) => read<ContainerStatus>(desiredKey("container", id)),
    firewall: (id) => read<FirewallStatus>(desiredKey("firewall", id)),
    reported: (id, state, revision = 0) =>
      until(async () => {
        const found = await plane.container(id);
        return found && found.state === state && found.revision >= revision && found;
      }),
    ping: async () =>
      (await connection.request(agentSubject(server, "ping"), "", { timeout: 60_000 })).json(),
    history: async (id) => {
      const states: string[] = [];
      const entries = await status.history({ key: desiredKey("container", id) });
      for await (const entry of entries) {
        states.push(entry.json<ContainerStatus>().state);
        if (entry.delta === 0) break;
      }
      return states;
    },
    close: async () => {
      await connection.close();
      await running.stop();
    },
  };
  await makeBuckets();
  return plane;
}
