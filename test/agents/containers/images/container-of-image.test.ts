import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { IMAGE_STORE } from "../../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";
import { HostReconciler } from "../../../../agents/reconciler/reconciler.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";
import { newDriver } from "../../../../test/agents/containers/new-driver.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { lacks } from "../../requirements.ts";
import { testPool } from "../specs.ts";
import { busyboxLayer, layerOf, makeImage, rawLayer } from "./sample-images.ts";
import { type StandInRegistry, startRegistry } from "./stand-in-registry.ts";

const log = pino({ level: "silent" });
type Reported = Omit<ContainerStatus, "reported_at">;

describe.skipIf(lacks("root", "nft", "ip", "oci", "busybox"))("a container of an image", () => {
  let registry: StandInRegistry;
  let layer: Buffer;
  let agent: HostReconciler;
  const data = temporaryFolder();
  const pool = testPool(10);
  const reports = new Map<string, Reported[]>();

  const start = async () => {
    agent = new HostReconciler({
      server: "node-9",
      driver: newDriver(pool),
      filter: null,
      images: new Images({
        folder: join(data, IMAGE_STORE),
        settings: registry.settings,
        limits: DEFAULT_LIMITS,
        log,
      }),
      data,
      reports: {
        container: (id, status) => reports.set(id, [...(reports.get(id) ?? []), status]),
        firewall: () => undefined,
      },
      log,
    });
    await agent.start();
  };
  beforeAll(async () => {
    registry = startRegistry();
    layer = await busyboxLayer();
    await start();
  });
  afterAll(async () => {
    await agent.close();
    await agent.shutdown();
    registry.stop();
  });

  const want = (
    image: string,
    fields: { id?: string; revision?: number; state?: string; command?: string[] } = {},
  ) => {
    const { id = newId(), revision = 1, state = "running", command = [] } = fields;
    const document = { server_name: "node-9", id, project_id: "0".repeat(24), name: "web", generation: 0 };
    agent.desire(`container.${id}`, { ...document, revision, state, command, image });
    return id;
  };
  const last = (id: string) => reports.get(id)?.at(-1);
  const isIn = (id: string, state: string) => until(() => last(id)?.state === state);
  /** Without the time and the stream of each line. */
  const logOf = (id: string) =>
    readFileSync(join(data, "containers", id, "log"), "utf8").replaceAll(/^\S+ (stdout|stderr) [FP] /gm, "");
  const saysIn = (id: string, text: string) =>
    until(() => existsSync(join(data, "containers", id, "log")) && logOf(id).includes(text));
  const remove = async (id: string, image: string) => {
    want(image, { id, revision: 9, state: "deleted" });
    await isIn(id, "deleted");
  };

  test("has its files and runs as its config says, and its record has digest, ports and labels", async () => {
    const look =
      'echo "as $(id -u):$(id -g) $(id -G)"; echo "in $(pwd)"; echo "var $GREETING $HOME $HOSTNAME"; echo "args $0 $1"; ls -d /data; cat /etc/hostname /srv/both; trap "echo bye; exit 0" USR1; echo up; while :; do sleep 0.05; done';
    const image = makeImage([layer, await layerOf({ "srv/both": "of the upper layer\n" })], {
      config: {
        Entrypoint: ["/bin/sh", "-c", look],
        Cmd: ["zero", "one"],
        Env: ["PATH=/bin", "GREETING=hello = you", "LD_PRELOAD=/evil.so"],
        User: "app",
        WorkingDir: "/srv/app",
        Volumes: { "/data": {} },
        ExposedPorts: { "8080/tcp": {}, "53/udp": {} },
        Labels: { "org.opencontainers.image.title": "sample" },
        StopSignal: "SIGUSR1",
      },
    });
    registry.add("team/app", "1", image);
    const reference = `${registry.host}/team/app:1`;
    const id = want(reference);
    await isIn(id, "running");
    await saysIn(id, "up\n");
    expect(logOf(id).split("\n").slice(0, 8)).toEqual([
      "as 1000:1001 1001 2000",
      "in /srv/app",
      "var hello = you /home/app web",
      "args zero one",
      "/data",
      "web",
      "of the upper layer",
      "up",
    ]);
    expect(last(id)?.image).toMatchObject({
      reference,
      digest: image.manifest.digest,
      state: "ready",
      exposed_ports: ["8080/tcp", "53/udp"],
      labels: { "org.opencontainers.image.title": "sample" },
    });
    const states = reports.get(id)?.map(({ image: its }) => its?.state) ?? [];
    expect([...new Set(states)]).toEqual(["waiting", "pulling", "ready"]);
    expect(reports.get(id)?.[0]?.image?.digest).toBeNull();

    want(reference, { id, revision: 2, state: "stopped" });
    await isIn(id, "stopped");
    expect(logOf(id)).toContain("bye\n");

    // The tag is another image's now; this container keeps its own, also for a new agent and without the registry.
    registry.add("team/app", "1", makeImage([layer], { config: { Cmd: ["/bin/sh", "-c", "echo another"] } }));
    await agent.close();
    await start();
    const before = registry.asked.length;
    want(reference, { id, revision: 3 });
    await isIn(id, "running");
    expect(registry.asked.length).toBe(before);
    expect(last(id)?.image?.digest).toBe(image.manifest.digest);
    await remove(id, reference);
  });

  test("hides what an upper layer removes, in one file and in a whole folder", async () => {
    const removal = rawLayer([
      { path: "old/", type: "folder", mode: 0o755 },
      { path: "old/.wh..wh..opq" },
      { path: "old/new", text: "new\n" },
      { path: "etc/", type: "folder", mode: 0o755 },
      { path: "etc/.wh.gone" },
    ]);
    const lower = await layerOf({ "old/one": "1", "old/two": "2", "etc/gone": "x", "etc/kept": "x" });
    const image = makeImage([layer, lower, lower, removal, lower, removal], {
      config: { Cmd: ["/bin/sh", "-c", "ls /old; ls /etc/gone /etc/kept; echo up; exec sleep 1000"] },
      compression: "zstd",
    });
    registry.add("removal", "latest", image);
    const id = want(`${registry.host}/removal`);
    await isIn(id, "running");
    await saysIn(id, "up\n");
    // In no order: what goes to stdout and to stderr goes by two pipes.
    expect(logOf(id).split("\n").toSorted()).toEqual([
      "",
      "/etc/kept",
      "ls: /etc/gone: No such file or directory",
      "new",
      "up",
    ]);
    await remove(id, `${registry.host}/removal`);
  });

  test("needs no shell in it; a command that it has not is named, and it is tried again", async () => {
    const bare = await layerOf({}, (folder) => {
      require("node:fs").copyFileSync(Bun.which("busybox") ?? "", join(folder, "busybox"));
    });
    registry.add(
      "bare",
      "1",
      makeImage([bare], { config: { Entrypoint: ["/busybox", "sleep"], Cmd: ["1000"], User: "7:8" } }),
    );
    const id = want(`${registry.host}/bare:1`);
    await isIn(id, "running");
    const command = { env: {}, user: "7", folder: "/", input: new Uint8Array(), msMax: 60_000 };
    const argv = ["/busybox", "id"];
    const { code, stdout } = await agent.runCommand(id, { ...command, argv, outputBytesMax: 1_000 });
    expect([code, stdout.toString()]).toEqual([0, "uid=7 gid=0\n"]);
    await remove(id, `${registry.host}/bare:1`);

    registry.add("bare", "2", makeImage([bare], { config: { Entrypoint: ["/nowhere"] } }));
    const other = want(`${registry.host}/bare:2`);
    await until(() => last(other)?.error?.includes("`/nowhere` not found") ?? false);
    await remove(other, `${registry.host}/bare:2`);
  });

  const linked = (target: string) => layerOf({}, (folder) => symlinkSync(target, join(folder, "link")));

  test("begins in its working directory also where that leads through a link to nowhere", async () => {
    const config = { Cmd: ["/bin/sh", "-c", "pwd -P; echo up; exec sleep 1000"], WorkingDir: "/link/sub" };
    registry.add("dangling", "1", makeImage([layer, await linked("gone/far")], { config }));
    const id = want(`${registry.host}/dangling:1`);
    await saysIn(id, "up\n");
    expect(logOf(id)).toBe("/gone/far/sub\nup\n");
    await remove(id, `${registry.host}/dangling:1`);
  });

  test("that cannot be started is an error with the reason, and is tried again only when it is asked for", async () => {
    const config = { Cmd: ["/bin/sleep", "1000"], WorkingDir: "/link/sub" };
    registry.add("looped", "1", makeImage([layer, await linked("/link")], { config }));
    const reference = `${registry.host}/looped:1`;
    const id = want(reference);
    const errors = () => reports.get(id)?.filter(({ state }) => state === "error") ?? [];
    const why = "it cannot be started: its working directory /link/sub cannot be entered: ";
    // The first is that of the attempt, the second says that there is no other.
    await until(() => errors().length >= 2);
    want(reference, { id, revision: 2 });
    await until(() => errors().some(({ revision }) => revision === 2));
    expect(errors().every(({ error }) => error?.startsWith(why))).toBe(true);
    expect(errors().filter(({ revision }) => revision === 1)).toHaveLength(2);
    await remove(id, reference);
  });

  test("that cannot be had is an error with the reason, and runs once the registry has it", async () => {
    const reference = `${registry.host}/later:1`;
    const id = want(reference);
    await until(() => last(id)?.state === "error");
    expect(last(id)?.error).toBe(
      `its image ${reference} cannot be had: ${registry.host} has no later:1 (not known)`,
    );
    expect(last(id)?.image).toMatchObject({ state: "error", digest: null });
    registry.add("later", "1", makeImage([layer], { config: { Cmd: ["/bin/sleep", "1000"] } }));
    await isIn(id, "running");
    expect(last(id)?.image).toMatchObject({ state: "ready" });
    await remove(id, reference);
  });
});
