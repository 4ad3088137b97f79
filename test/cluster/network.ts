import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { run } from "../../agents/exec/command.ts";
import { AddressPool } from "../../agents/network/addresses.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { sharedWatchdog } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** Machines on one bridge: each a network namespace, with an address that this process reaches too. */
export interface ClusterNetwork {
  /** Adds a machine. There is room for a dozen. */
  addMachine(): Promise<NetworkedMachine>;
  /** The network of all addresses. */
  readonly subnet: string;
  /** The name of its link outside of it. */
  readonly link: string;
  /** Removes all of it. Processes in it must have ended. */
  end(): Promise<void>;
}

export interface NetworkedMachine {
  readonly address: string;
  /** The command line that a process on it is started by. */
  readonly within: readonly string[];
  /** The ids of all processes on it. */
  processes(): number[];
  /** Pulls the cable, or puts it back. */
  plug(isPlugged: boolean): Promise<void>;
  /** Loses a share of the packets in both directions. @param percent 0 to 100; 0 loses none */
  losePackets(percent: number): Promise<void>;
}

/** A namespace lives as long as a process in it, and its links go with it: nothing is left behind, however the run ends. */
async function holdNamespace(): Promise<{ pid: number; within: string[]; end(): Promise<void> }> {
  const holder = Bun.spawn(["unshare", "--net", "sleep", "infinity"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  sharedWatchdog().watch(holder.pid, "TERM");
  const space = `/proc/${holder.pid}/ns/net`;
  await until(() => existsSync(space) && readlinkSync(space) !== readlinkSync("/proc/self/ns/net"));
  return {
    pid: holder.pid,
    within: ["nsenter", `--net=${space}`],
    async end() {
      holder.kill();
      await holder.exited;
      sharedWatchdog().forget(holder.pid);
    },
  };
}

/** The processes in the namespace of another one, without that one. */
function processesOf(holder: number): number[] {
  const spaceOf = (pid: string | number) => {
    try {
      return readlinkSync(`/proc/${pid}/ns/net`);
    } catch {
      return undefined;
    }
  };
  const space = spaceOf(holder);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== holder)
    .filter((name) => space !== undefined && spaceOf(name) === space)
    .map(Number);
}

export async function startClusterNetwork(): Promise<ClusterNetwork> {
  const subnet = testSubnet(10);
  const addresses = new AddressPool(subnet);
  const hub = await holdNamespace();
  const holders = [hub];
  const inHub = (...words: string[]) => run([...hub.within, "ip", ...words]);
  await inHub("link", "add", "bridge", "type", "bridge");
  await inHub("link", "set", "bridge", "up");

  const own = `clu${hub.pid}`;
  await run(["ip", "link", "add", own, "type", "veth", "peer", "name", "outside", "netns", String(hub.pid)]);
  await run(["ip", "address", "add", `${addresses.gateway}/28`, "dev", own]);
  await run(["ip", "link", "set", own, "up"]);
  await inHub("link", "set", "outside", "master", "bridge", "up");

  return {
    subnet,
    link: own,
    async addMachine() {
      const address = addresses.allocate();

      const { pid, within, end } = await holdNamespace();
      holders.push({ pid, within, end });
      const port = `m${pid}`;
      await inHub("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", String(pid));
      await inHub("link", "set", port, "master", "bridge", "up");
      await run([...within, "ip", "address", "add", `${address}/28`, "dev", "eth0"]);
      for (const device of ["lo", "eth0"]) await run([...within, "ip", "link", "set", device, "up"]);
      return {
        address,
        within,
        processes: () => processesOf(pid),
        async plug(isPlugged) {
          await inHub("link", "set", port, isPlugged ? "up" : "down");
        },
        async losePackets(percent) {
          const share = percent < 100 ? `numgen random mod 100 < ${percent}` : "";
          const rule = `iifname eth0 ${share} drop`;
          // A table that is not there cannot be deleted: it is made first.
          const lossy = `table ip lossy {
            chain in { type filter hook input priority 0; ${rule}; }
            chain out { type filter hook output priority 0; ${rule.replace("iifname", "oifname")}; }
          }`;
          await run(
            [...within, "nft", "-f", "-"],
            `table ip lossy {}\ndelete table ip lossy\n${percent > 0 ? lossy : ""}`,
          );
        },
      };
    },
    async end() {
      for (const holder of holders.reverse()) await holder.end();
    },
  };
}
