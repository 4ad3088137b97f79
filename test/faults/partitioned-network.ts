import { existsSync, readlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { run } from "../../agents/exec/command.ts";
import { AddressPool } from "../../agents/network/addresses.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { sharedWatchdog } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** A network namespace whose only way out leads to some servers of this machine, and can be cut. */
export interface PartitionedNetwork<Name extends string> {
  /** The command line that a process in it is started by. */
  readonly within: readonly string[];
  /** The address of a server, as it is seen from in there. */
  url(server: Name): string;
  /** From now on no packet passes to or from these servers. Nobody is told: nothing is reset or refused. */
  cut(...servers: Name[]): Promise<void>;
  mend(): Promise<void>;
  /** Processes in it must have ended. */
  end(): Promise<void>;
}

/** @param servers URLs of servers on the loopback interface, by name */
export async function startPartitionedNetwork<Name extends string>(
  servers: Readonly<Record<Name, string>>,
): Promise<PartitionedNetwork<Name>> {
  const pool = new AddressPool(testSubnet(10));
  const [outside, inside] = [pool.gateway, pool.allocate()];
  // The namespace lives as long as a process in it, and takes the link with it.
  const holder = Bun.spawn(["unshare", "--net", "sleep", "infinity"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  sharedWatchdog().watch(holder.pid, "TERM");
  const space = `/proc/${holder.pid}/ns/net`;
  await until(() => existsSync(space) && readlinkSync(space) !== readlinkSync("/proc/self/ns/net"));
  const within = ["nsenter", `--net=${space}`];
  const link = `flt${holder.pid}`;
  await run(["ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", String(holder.pid)]);
  await run(["ip", "address", "add", `${outside}/28`, "dev", link]);
  await run(["ip", "link", "set", link, "up"]);
  await run([...within, "ip", "address", "add", `${inside}/28`, "dev", "eth0"]);
  for (const device of ["lo", "eth0"]) await run([...within, "ip", "link", "set", device, "up"]);

  const forwarders = new Map<Name, { server: Server; port: number; url: string }>();
  for (const [name, url] of Object.entries(servers) as [Name, string][]) {
    const server = await forward(outside, Number(new URL(url).port));
    const { port } = server.address() as { port: number };
    const seen = new URL(url);
    seen.host = `${outside}:${port}`;
    forwarders.set(name, { server, port, url: seen.href });
  }
  const forwarderOf = (name: Name) => {
    const forwarder = forwarders.get(name);
    if (forwarder === undefined) throw new Error(`no server ${name}`);
    return forwarder;
  };
  // A table that is not there cannot be deleted: it is made first.
  const table = (rules: string) =>
    run([...within, "nft", "-f", "-"], `table ip cut {}\ndelete table ip cut\n${rules}`);

  return {
    within,
    url: (name) => forwarderOf(name).url,
    async cut(...names) {
      const ports = names.map((name) => forwarderOf(name).port).join(", ");
      await table(`table ip cut {
        chain in { type filter hook input priority 0; tcp sport { ${ports} } drop; }
        chain out { type filter hook output priority 0; tcp dport { ${ports} } drop; }
      }`);
    },
    async mend() {
      await table("");
    },
    async end() {
      for (const { server } of forwarders.values()) server.close();
      holder.kill();
      await holder.exited;
      sharedWatchdog().forget(holder.pid);
    },
  };
}

/** Takes connections at an address of the link and hands them to a port of the loopback interface. */
function forward(address: string, port: number): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  server.on("error", reject);
  server.listen(0, address, () => resolve(server));
  return promise;
}
