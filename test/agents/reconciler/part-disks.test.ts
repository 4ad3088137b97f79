import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { ProcessDriver } from "../../../agents/containers/process/driver.ts";
import { PartDisks, type PartMember } from "../../../agents/reconciler/part-disks.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import type { ContainerStatus } from "../../../schemas/hosting/desired.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { newId } from "../network/nft/rules.ts";

const MEGABYTE = 1024 * 1024;

describe("a part's disk", () => {
  const member = (id: string, megabytes: number, fields: Partial<PartMember> = {}): PartMember => ({
    ...{ id, partId: "part", bytesMax: 1_000 * MEGABYTE, bytes: megabytes * MEGABYTE, isRunning: true },
    ...fields,
  });
  const stoppedBy = (disks: PartDisks, members: readonly PartMember[], shares: [string, number][] = []) => [
    ...disks.excess(members, new Map(shares)).keys(),
  ];

  test("is for all its containers and storage shares together, and no other part's", () => {
    const disks = new PartDisks();
    const two = [member("a", 500), member("b", 500)];
    expect(stoppedBy(disks, two)).toEqual([]);
    expect(stoppedBy(disks, two, [["other", 900 * MEGABYTE]])).toEqual([]);
    expect(stoppedBy(disks, [...two, member("c", 900, { partId: "other" })])).toEqual([]);
    expect(stoppedBy(disks, two, [["part", MEGABYTE]])).toHaveLength(1);
    expect(stoppedBy(new PartDisks(), [...two, member("c", 1, { isRunning: false })])).toHaveLength(1);
  });

  test("when it is full ends its largest container; the others run on until they take more", () => {
    const disks = new PartDisks();
    const full = (c: number) => [
      member("a", 700, { isRunning: false }),
      member("b", 200),
      member("c", c),
      member("new", 100, { isRunning: c > 300 }),
    ];
    expect(stoppedBy(disks, [member("a", 700), member("b", 200), member("c", 150)])).toEqual(["a"]);
    expect(stoppedBy(disks, full(150))).toEqual([]);
    expect(stoppedBy(disks, full(200))).toEqual([]);
    expect(stoppedBy(disks, full(250))).toEqual(["c"]);
    // One that is made while there is no room has none.
    expect(stoppedBy(disks, full(301)).toSorted()).toEqual(["c", "new"]);
  });

  test("ends one that was started again and has not made room, and lets all grow when there is room", () => {
    const disks = new PartDisks();
    expect(stoppedBy(disks, [member("a", 700), member("b", 400)])).toEqual(["a"]);
    expect(stoppedBy(disks, [member("a", 700, { isRunning: false }), member("b", 400)])).toEqual([]);
    expect(stoppedBy(disks, [member("a", 690), member("b", 400)])).toEqual(["a"]);
    expect(stoppedBy(disks, [member("a", 500), member("b", 400)])).toEqual([]);
    expect(stoppedBy(disks, [member("a", 500), member("b", 490)])).toEqual([]);
    expect(stoppedBy(disks, [member("a", 500), member("b", 510)])).toEqual(["b"]);
  });
});

describe("containers of a part of a host", () => {
  const data = temporaryFolder();
  const reports = new Map<string, Omit<ContainerStatus, "reported_at">>();
  const agent = new HostReconciler({
    ...{ server: "node-9", driver: new ProcessDriver(null), filter: null, data },
    reports: { container: (id, status) => reports.set(id, status), firewall: () => undefined },
    log: pino({ level: "silent" }),
  });
  beforeAll(() => agent.start());
  afterAll(async () => {
    await agent.close();
    await agent.shutdown();
  });

  test("are stopped when they take more of the disk than the part has, although each has less", async () => {
    const [part_id, first, second] = [newId(), newId(), newId()];
    for (const id of [first, second])
      agent.desire(`container.${id}`, {
        ...{ server_name: "node-9", id, project_id: "0".repeat(24), name: "web", generation: 0, revision: 1 },
        ...{ state: "running", command: ["sleep", "1000"], part_id },
        server_resources: { cpu_cores: null, memory_bytes: null, disk_bytes: 8 * MEGABYTE },
      });
    await until(() => [first, second].every((id) => reports.get(id)?.state === "running"));
    for (const [id, megabytes] of [
      [first, 5],
      [second, 6],
    ] as const)
      writeFileSync(join(data, "containers", id, "root", "file"), Buffer.alloc(megabytes * MEGABYTE, "x"));
    const ended = await until(() =>
      reports.get(second)?.state === "error" ? reports.get(second) : undefined,
    );
    expect(ended.error).toMatch(
      /^the containers and storage shares of its server take 1[12] MB together and may take 8; [67] are this container's: it is stopped/,
    );
    expect(reports.get(first)?.state).toBe("running");
  });
});
