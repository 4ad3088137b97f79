import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { run } from "../../../agents/exec/command.ts";
import { AddressPool } from "../../../agents/network/addresses.ts";
import type { Reported } from "../../../agents/reconciler/context.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import type {
  ContainerStatus,
  DesiredContainer,
  DesiredShare,
  ShareStatus,
} from "../../../schemas/hosting/desired.ts";
import type { Volume } from "../../../schemas/hosting/volume.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { inside, type Outcome } from "../containers/inside.ts";
import { newDriver } from "../containers/new-driver.ts";
import { testSubnet } from "../containers/specs.ts";
import { newId } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";

/** Storage shares on a host: real disks in files, mounted in real containers. */

const server = "node-9";
const MIB = 2 ** 20;
const SIZE = 24 * MIB;
const project = "0".repeat(24);

describe.skipIf(lacks("root", "nft", "ip", "oci"))("storage shares of a host", () => {
  const data = temporaryFolder();
  const subnet = testSubnet(10);
  const shares = new Map<string, Reported<ShareStatus>>();
  const containers = new Map<string, Reported<ContainerStatus>>();
  let revision = 1;
  let agent: HostReconciler;

  async function startAgent(): Promise<void> {
    agent = new HostReconciler({
      server,
      // As a new agent has it: nothing of its addresses is taken.
      driver: newDriver(new AddressPool(subnet)),
      filter: null,
      data,
      reports: {
        container: (id, status) => containers.set(id, status),
        firewall: () => undefined,
        share: (id, status) => shares.set(id, status),
      },
      log: pino({ level: "silent" }),
    });
    await agent.start();
  }

  beforeAll(startAgent);
  afterAll(async () => {
    for (const id of containers.keys()) wantContainer(id, "deleted");
    await until(() => [...containers.values()].every(({ state }) => state === "deleted"));
    await agent.close();
    await agent.shutdown();
    // Whatever was mounted has gone with the containers.
    await until(async () => !(await run(["losetup", "--list"])).includes(data));
  });

  function wantShare(id: string, fields: Partial<DesiredShare> = {}): void {
    const wanted: DesiredShare = {
      ...{ revision: revision++, server_name: server, id, project_id: project, state: "present" },
      ...{ size_bytes: SIZE, snapshots: [], restore: null, ...fields },
    };
    agent.desire(`share.${id}`, wanted);
  }
  const share = (id: string, is: (status: Reported<ShareStatus>) => boolean) =>
    until(() => {
      const status = shares.get(id);
      return status && is(status) && status;
    });
  async function newShare(): Promise<string> {
    const id = newId();
    wantShare(id);
    await share(id, ({ state }) => state === "ready");
    return id;
  }

  function wantContainer(
    id: string,
    state: "running" | "stopped" | "deleted",
    volumes: Volume[] = [],
    fields: Partial<DesiredContainer> = {},
  ): void {
    agent.desire(`container.${id}`, {
      ...{ revision: revision++, server_name: server, id, project_id: project, name: "web", generation: 0 },
      ...{ state, command: [], volumes: volumes.map((volume) => ({ ...volume, share_revision: 0 })) },
      ...fields,
    });
  }
  const reaches = (id: string, state: ContainerStatus["state"]) =>
    until(() => containers.get(id)?.state === state);
  async function start(...volumes: [share_id: string, path: string, read_only?: boolean][]): Promise<string> {
    const id = newId();
    wantContainer(
      id,
      "running",
      volumes.map(([share_id, path, read_only = false]) => ({ share_id, path, read_only })),
    );
    await reaches(id, "running");
    return id;
  }
  async function end(id: string): Promise<void> {
    wantContainer(id, "deleted");
    await reaches(id, "deleted");
  }
  const pidOf = (id: string): number =>
    JSON.parse(readFileSync(join(data, "containers", id, "state.json"), "utf8")).init.pid;
  const sh = (id: string, line: string): Promise<Outcome> => inside(pidOf(id), line);
  const out = async (id: string, line: string): Promise<string> => {
    const { stdout, stderr } = await sh(id, line);
    return (stdout + stderr).trim();
  };

  test("containers share files as the same users, and a read-only one cannot change them", async () => {
    const id = await newShare();
    const [one, two] = await Promise.all([start([id, "/data"]), start([id, "/srv/other"])]);
    expect((await share(id, ({ mounted_by }) => mounted_by.length === 2)).mounted_by).toEqual(
      [one, two].sort(),
    );
    await sh(one, "echo root > /data/a; mkdir -m 1777 /data/open; chmod 644 /data/a");
    await sh(one, "setpriv --reuid 1000 --regid 1000 --clear-groups sh -c 'echo user > /data/open/b'");
    expect(await out(two, "cat /srv/other/a; stat -c '%u:%g' /srv/other/a /srv/other/open/b")).toBe(
      "root\n0:0\n1000:1000",
    );
    const asUser = "setpriv --reuid 1000 --regid 1000 --clear-groups sh -c";
    expect(await out(two, `${asUser} 'echo more >> /srv/other/open/b && cat /srv/other/open/b'`)).toBe(
      "user\nmore",
    );
    expect(await out(two, `${asUser} 'echo x > /srv/other/a'`)).toContain("Permission denied");

    const reader = await start([id, "/data", true]);
    expect(await out(reader, "cat /data/a; echo x > /data/a; mount -o remount,rw /data; rm /data/a")).toMatch(
      /^root\n.*Read-only file system/,
    );
    expect(await out(one, "cat /data/a")).toBe("root");
    // A program of the share that belongs to root gives nobody its rights.
    expect(await out(one, "grep ' /data ' /proc/mounts")).toContain("nosuid,nodev");

    await Promise.all([end(two), end(reader)]);
    expect((await share(id, ({ mounted_by }) => mounted_by.length === 1)).mounted_by).toEqual([one]);
    await end(one);
    const after = await start([id, "/data"]);
    expect(await out(after, "cat /data/a /data/open/b")).toBe("root\nuser\nmore");
    await end(after);
  }, 60_000);

  test("the limit holds, what is used is reported, and the share grows", async () => {
    const id = await newShare();
    const container = await start([id, "/data"]);
    expect(await out(container, "dd if=/dev/zero of=/data/large bs=1M count=100")).toContain("No space left");
    await end(container);
    // It may be measured while the container still has it.
    const full = await share(
      id,
      ({ used_bytes, mounted_by }) => mounted_by.length === 0 && (used_bytes ?? 0) > SIZE / 2,
    );
    expect(full).toMatchObject({ enforced: true, size_bytes: SIZE, error: null, mounted_by: [] });
    expect(full.used_bytes).toBeLessThanOrEqual(SIZE);

    wantShare(id, { size_bytes: 2 * SIZE });
    await share(id, ({ size_bytes }) => size_bytes === 2 * SIZE);
    const again = await start([id, "/data"]);
    expect(await out(again, "cp /data/large /data/second && echo fits")).toBe("fits");
    await end(again);
  }, 60_000);

  test("a snapshot is taken while a container writes, and brought back once none has the share", async () => {
    const id = await newShare();
    const container = await start([id, "/data"]);
    await sh(
      container,
      "echo before > /data/a; nohup sh -c 'while :; do date > /data/now; done' >/dev/null 2>&1 &",
    );
    const snapshot = newId();
    wantShare(id, { snapshots: [snapshot] });
    const [made] = (await share(id, ({ snapshots }) => snapshots.length === 1)).snapshots;
    expect(made).toMatchObject({ id: snapshot, state: "ready", error: null });
    await sh(container, "echo after > /data/a; echo new > /data/b");

    // The control plane refuses this; if a container started meanwhile, nothing is taken from under it.
    const restore = { id: newId(), snapshot_id: snapshot };
    wantShare(id, { snapshots: [snapshot], restore });
    expect((await share(id, ({ error }) => error !== null)).error).toBe(
      "it is restored when no container runs with it",
    );
    expect(await out(container, "cat /data/a")).toBe("after");
    wantContainer(container, "stopped");
    await share(id, ({ restored, error }) => restored === restore.id && error === null);
    wantContainer(container, "running", [{ share_id: id, path: "/data", read_only: false }]);
    await reaches(container, "running");
    await until(async () => (await sh(container, "true")).code === 0);
    expect(await out(container, "cat /data/a; ls /data/b")).toMatch(/^before\n.*No such file/);

    wantShare(id);
    await share(id, ({ snapshots }) => snapshots.length === 0);
    expect(readdirSync(join(data, "shares", id, "snapshots"))).toEqual([]);
    await end(container);
  }, 60_000);

  test("a share outlives its agent, and a deleted one goes when its last container has ended", async () => {
    const id = await newShare();
    const container = await start([id, "/data"]);
    await sh(container, "echo kept > /data/a");
    await agent.close();
    shares.clear();
    await startAgent();
    expect(await share(id, ({ state }) => state === "ready")).toMatchObject({ mounted_by: [container] });
    expect(await out(container, "cat /data/a")).toBe("kept");

    wantShare(id, { state: "deleted" });
    expect((await share(id, ({ error }) => error !== null)).error).toContain(
      "when no container runs with it",
    );
    expect(await out(container, "cat /data/a")).toBe("kept");
    await end(container);
    await share(id, ({ state }) => state === "deleted");
    await until(() => !existsSync(join(data, "shares", id)));
  }, 60_000);

  test("a share counts in its part's disk with its snapshots, also one whose record does not say its part", async () => {
    const [id, container] = [await newShare(), newId()];
    const part: Partial<DesiredContainer> = {
      part_id: newId(),
      server_resources: { cpu_cores: null, memory_bytes: null, disk_bytes: 2 * SIZE },
    };
    const volume = { share_id: id, path: "/data", read_only: false };
    wantContainer(container, "running", [volume], part);
    await reaches(container, "running");
    // Two shares of this size have no room beside the container's own files; one has.
    await sh(container, "head -c 20000000 /dev/urandom > /data/a; head -c 12000000 /dev/urandom > /srv/own");
    expect(containers.get(container)?.state).toBe("running");
    wantShare(id, { snapshots: [newId()] });
    await share(id, ({ snapshots }) => snapshots.length === 1);
    const stopped = await until(() => {
      const status = containers.get(container);
      return status?.state === "error" && status;
    });
    expect(stopped.error).toMatch(
      /^the containers and storage shares of its server take [5-6]\d MB together and may take 48; 1[12] are this container's/,
    );
    await end(container);
  }, 60_000);

  test("a container waits for a share that its host does not know yet", async () => {
    const [id, container] = [newId(), newId()];
    wantContainer(container, "running", [{ share_id: id, path: "/data", read_only: false }]);
    await until(() => containers.get(container)?.error?.includes(id));
    expect(containers.get(container)?.state).toBe("creating");
    wantShare(id);
    await reaches(container, "running");
    await end(container);
  }, 60_000);
});
