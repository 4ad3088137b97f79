import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { IMAGE_STORE } from "../../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";
import { HostReconciler } from "../../../../agents/reconciler/reconciler.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { lacks } from "../../requirements.ts";
import { newDriver } from "../new-driver.ts";
import { testPool } from "../specs.ts";
import { startDockerRegistry } from "./docker-registry.ts";
import { busyboxLayer, layerOf, makeImage, type SampleImage } from "./sample-images.ts";
import { type StandInRegistry, startRegistry } from "./stand-in-registry.ts";

const log = pino({ level: "silent" });
type Reported = Omit<ContainerStatus, "reported_at">;

describe.skipIf(lacks("root", "nft", "ip", "oci", "busybox"))("a container that takes a newer image", () => {
  let registry: StandInRegistry;
  let real: Awaited<ReturnType<typeof startDockerRegistry>> | null = null;
  let agent: HostReconciler;
  let first: SampleImage;
  let second: SampleImage;
  const data = temporaryFolder();
  const pool = testPool(10);
  const reports = new Map<string, Reported[]>();
  const config = {
    Cmd: ["/bin/sh", "-c", "exec sleep 1000"],
    Env: ["PATH=/bin"],
    Volumes: { "/data": {}, "/link/deep": {} },
  };

  const start = async () => {
    const local = new Map(registry.settings.local);
    if (real !== null) local.set(real.host, new URL(`http://${real.host}`));
    const settings = { ...registry.settings, local };
    agent = new HostReconciler({
      server: "node-9",
      driver: newDriver(pool),
      filter: null,
      images: new Images({ folder: join(data, IMAGE_STORE), settings, limits: DEFAULT_LIMITS, log }),
      data,
      registryCredentials: async (_id, host) =>
        host === real?.host ? { username: "ann", password: "secret" } : null,
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
    if (!lacks("docker-registry")) real = await startDockerRegistry();
    const system = await busyboxLayer();
    const link = (folder: string) => require("node:fs").symlinkSync("srv/own", join(folder, "link"));
    const version = async (text: string) =>
      makeImage([system, await layerOf({ "etc/version": text, "srv/seed": text }, link)], { config });
    [first, second] = [await version("one\n"), await version("two\n")];
    await start();
  });
  afterAll(async () => {
    await agent.close();
    await agent.shutdown();
    registry.stop();
    await real?.stop();
  });

  const want = (image: string, id: string, fields: object) =>
    agent.desire(`container.${id}`, {
      ...{ server_name: "node-9", id, project_id: "0".repeat(24), name: "web", generation: 0 },
      ...{ state: "running", command: [], image, ...fields },
    });
  const last = (id: string) => reports.get(id)?.at(-1);
  const isAt = (id: string, revision: number) =>
    until(() => last(id)?.revision === revision && last(id)?.image?.state === "ready" && last(id));
  /** A container of a tag of its own, which means the first image. */
  const created = async (name: string) => {
    registry.add(name, "1", first);
    const [id, image] = [newId(), `${registry.host}/${name}:1`];
    want(image, id, { revision: 1 });
    await until(() => last(id)?.state === "running");
    return { id, image };
  };
  const inside = async (id: string, line: string) => {
    const command = { env: {}, user: "root", folder: "/", input: new Uint8Array(), msMax: 60_000 };
    const argv = ["/bin/sh", "-c", line];
    return (await agent.runCommand(id, { ...command, argv, outputBytesMax: 10_000 })).stdout.toString();
  };
  const remove = async (id: string, image: string) => {
    want(image, id, { revision: 99, state: "deleted" });
    await until(() => last(id)?.state === "deleted");
  };

  test("runs what its tag means by now, with its address and the files in its volumes; all others are the new image's", async () => {
    const { id, image } = await created("moved");
    const { address } = last(id) ?? {};
    const write =
      "echo mine > /data/file; echo deep > /srv/own/deep/file; echo x > /etc/version; rm /srv/seed";
    await inside(id, write);
    registry.add("moved", "1", second);
    want(image, id, { revision: 2, image_generation: 1 });
    const now = await isAt(id, 2);
    expect(now).toMatchObject({ state: "running", error: null, address });
    expect(now?.image?.digest).toBe(second.manifest.digest);
    expect(now?.exit?.reason).toBe("its image was replaced by a newer one");
    expect(await inside(id, "cat /data/file /link/deep/file /etc/version /srv/seed")).toBe(
      "mine\ndeep\ntwo\ntwo\n",
    );
    const pulling = reports
      .get(id)
      ?.filter(({ revision, image }) => revision === 2 && image?.state === "pulling");
    expect(
      pulling?.every(({ state, image }) => state === "running" && image?.digest === first.manifest.digest),
    ).toBe(true);
    await remove(id, image);
  });

  test.skipIf(lacks("docker-registry"))(
    "takes it from a real registry, and runs on when that is stopped",
    async () => {
      if (real === null) throw new Error("there is no registry");
      await real.push("team/app", "1", first);
      const [id, image] = [newId(), `${real.host}/team/app:1`];
      want(image, id, { revision: 1 });
      await until(() => last(id)?.state === "running");
      await real.push("team/app", "1", second);
      want(image, id, { revision: 2, image_generation: 1 });
      const now = await isAt(id, 2);
      expect(now).toMatchObject({ state: "running", error: null });
      expect(now?.image?.digest).toBe(second.manifest.digest);
      expect(await inside(id, "cat /etc/version")).toBe("two\n");

      await real.push("team/app", "1", first);
      await real.stop();
      want(image, id, { revision: 3, image_generation: 2 });
      const failed = await isAt(id, 3);
      expect(failed?.state).toBe("running");
      expect(failed?.image?.digest).toBe(second.manifest.digest);
      expect(failed?.error).toStartWith(`it keeps the image that it has: its image ${image} cannot be had: `);
      expect(await inside(id, "cat /etc/version")).toBe("two\n");
      await remove(id, image);
    },
  );

  test("takes another reference that it is given, and keeps its image where that one cannot be had", async () => {
    const { id } = await created("former");
    const missing = `${registry.host}/missing:1`;
    want(missing, id, { revision: 2, image_generation: 1 });
    const failed = await isAt(id, 2);
    expect([failed?.state, failed?.image?.digest]).toEqual(["running", first.manifest.digest]);
    expect(failed?.error).toContain(`its image ${missing} cannot be had`);
    registry.add("latter", "2", second);
    const image = `${registry.host}/latter:2@${second.manifest.digest}`;
    want(image, id, { revision: 3, image_generation: 2 });
    expect((await isAt(id, 3))?.image).toMatchObject({ reference: image, digest: second.manifest.digest });
    expect(await inside(id, "cat /etc/version")).toBe("two\n");
    await remove(id, image);
  });

  test("is not restarted where its tag means what it runs", async () => {
    const { id, image } = await created("same");
    const before = await inside(id, "cat /proc/1/stat");
    want(image, id, { revision: 2, image_generation: 1 });
    expect(await isAt(id, 2)).toMatchObject({ state: "running", error: null, exit: null });
    expect(await inside(id, "cut -d' ' -f22 /proc/1/stat")).toBe(`${before.split(" ")[21]}\n`);
    await remove(id, image);
  });

  test("runs on with its own image where the registry is down, says why, and takes the newer one when asked again", async () => {
    const { id, image } = await created("down");
    registry.add("down", "1", second);
    registry.intercept(() => new Response("closed", { status: 403 }));
    want(image, id, { revision: 2, image_generation: 1 });
    const failed = await isAt(id, 2);
    expect(failed).toMatchObject({ state: "running", exit: null });
    expect(failed?.image?.digest).toBe(first.manifest.digest);
    expect(failed?.error).toStartWith(`it keeps the image that it has: its image ${image} cannot be had: `);
    expect(await inside(id, "cat /etc/version")).toBe("one\n");

    registry.intercept(() => undefined);
    // A change of something else is no new request.
    want(image, id, { revision: 3, image_generation: 1 });
    expect((await isAt(id, 3))?.image?.digest).toBe(first.manifest.digest);
    want(image, id, { revision: 4, image_generation: 2 });
    const now = await isAt(id, 4);
    expect(now).toMatchObject({ state: "running", error: null });
    expect(now?.image?.digest).toBe(second.manifest.digest);
    await remove(id, image);
  });

  test("keeps its own where the newer one has nothing to run, and a container that is stopped has the newer one at its next start", async () => {
    const { id, image } = await created("empty");
    registry.add("empty", "1", makeImage([await layerOf({ nothing: "" })], { config: {} }));
    want(image, id, { revision: 2, image_generation: 1 });
    expect((await isAt(id, 2))?.error).toContain("its image names no program to run");
    expect(await inside(id, "cat /etc/version")).toBe("one\n");

    registry.add("empty", "1", second);
    want(image, id, { revision: 3, image_generation: 1, state: "stopped" });
    await until(() => last(id)?.state === "stopped");
    want(image, id, { revision: 4, image_generation: 2, state: "stopped" });
    const stopped = await isAt(id, 4);
    expect(stopped).toMatchObject({ state: "stopped", error: null });
    expect(stopped?.image?.digest).toBe(second.manifest.digest);
    want(image, id, { revision: 5, image_generation: 2, generation: 1 });
    await until(() => last(id)?.state === "running");
    expect(await inside(id, "cat /etc/version")).toBe("two\n");
    await remove(id, image);
  });

  test("goes on with it under a new agent", async () => {
    const { id, image } = await created("resumed");
    registry.add("resumed", "1", second);
    const waiting = Promise.withResolvers<Response>();
    registry.intercept((_request, path) => (path.includes("/manifests/") ? waiting.promise : undefined));
    want(image, id, { revision: 2, image_generation: 1 });
    await until(() => last(id)?.image?.state === "pulling");
    await agent.close();
    registry.intercept(() => undefined);
    await start();
    expect((await isAt(id, 2))?.image?.digest).toBe(second.manifest.digest);
    expect(await inside(id, "cat /etc/version")).toBe("two\n");
    await remove(id, image);
  });
});
