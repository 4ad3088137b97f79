import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { IMAGE_STORE } from "../../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";
import { HostReconciler } from "../../../../agents/reconciler/reconciler.ts";
import { stateStore } from "../../../../agents/reconciler/store.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { lacks } from "../../requirements.ts";
import { newDriver } from "../new-driver.ts";
import { testPool } from "../specs.ts";
import { busyboxLayer, layerOf, makeImage } from "./sample-images.ts";
import { type StandInRegistry, startRegistry } from "./stand-in-registry.ts";
import { WELL_KNOWN, type WellKnown } from "./well-known.ts";

const log = pino({ level: "silent" });
/** Fits the addresses of a test. */
const AT_ONCE = 7;

/** In place of an image's program: says how it was started, and by which signal it ends. */
const PROBE = `#!/bin/sh
for name in TERM INT QUIT WINCH; do trap "echo ends by $name; exit 0" $name; done
echo "argv \${0##*/} $*"
echo "as $(id -u):$(id -g)"
echo "in $(pwd)"
env | while read -r line; do echo "env $line"; done
for folder in /data /prometheus /var/lib/*; do test -d "$folder" && echo "has $folder"; done
echo up
while :; do sleep 0.05; done
`;
const PASSWD = {
  "etc/passwd":
    "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\nmemcache:x:11211:11211::/:/bin/sh\n",
  "etc/group": "root:x:0:\nnobody:x:65534:\nmemcache:x:11211:\n",
};

describe.skipIf(lacks("root", "nft", "ip", "oci", "busybox"))("a well-known image", () => {
  let registry: StandInRegistry;
  let host: HostReconciler;
  const data = temporaryFolder();
  const reports = new Map<string, Omit<ContainerStatus, "reported_at">>();

  beforeAll(async () => {
    registry = startRegistry();
    const layer = await busyboxLayer(PASSWD);
    for (const { name, config, args } of WELL_KNOWN)
      registry.add(name, "1", makeImage([layer, await programOf(config, args)], { config }));
    host = new HostReconciler({
      ...{ server: "node-9", driver: newDriver(testPool(10)), filter: null, data, log },
      images: new Images({
        ...{ folder: join(data, IMAGE_STORE), settings: registry.settings, limits: DEFAULT_LIMITS, log },
      }),
      reports: { container: (id, status) => reports.set(id, status), firewall: () => undefined },
    });
    await host.start();
  });
  afterAll(async () => {
    await host.close();
    await host.shutdown();
    registry.stop();
  });

  /** The probe, under the name that the image's program has. */
  function programOf({ Entrypoint, Cmd }: WellKnown["config"], args: WellKnown["args"]): Promise<Buffer> {
    const [program = ""] = Entrypoint ?? args ?? Cmd ?? [];
    const path = program.startsWith("/") ? program.slice(1) : `usr/local/bin/${program}`;
    return layerOf({ [path]: PROBE }, (folder) => chmodSync(join(folder, path), 0o755));
  }
  function want({ name, args = [] }: WellKnown, state: string, id = newId(), revision = 1): string {
    const document = { server_name: "node-9", id, project_id: "0".repeat(24), name, generation: 0 };
    const image = `${registry.host}/${name}:1`;
    host.desire(`container.${id}`, { ...document, revision, state, command: args, image });
    return id;
  }
  const linesOf = (id: string): string[] => {
    const file = join(data, "containers", id, "log");
    return existsSync(file)
      ? readFileSync(file, "utf8")
          .replaceAll(/^\S+ \S+ F /gm, "")
          .split("\n")
      : [];
  };
  const isIn = (id: string, state: string) => until(() => reports.get(id)?.state === state);

  async function replay(image: WellKnown) {
    const id = want(image, "running");
    await until(() => linesOf(id).includes("up"));
    await isIn(id, "running");
    const { exposed_ports } = reports.get(id)?.image ?? {};
    const { health = null } = reports.get(id) ?? {};
    const record = (await stateStore(data).load(log)).find((one) => one.id === id);
    want(image, "stopped", id, 2);
    await isIn(id, "stopped");
    const lines = linesOf(id);
    want(image, "deleted", id, 3);
    await isIn(id, "deleted");
    return { lines, ports: exposed_ports, health, check: record?.image?.health_check?.argv };
  }

  const batches = Array.from({ length: Math.ceil(WELL_KNOWN.length / AT_ONCE) }, (_, at) =>
    WELL_KNOWN.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  test.each(batches.map((batch) => [batch.map(({ name }) => name).join(", "), batch] as const))(
    "means what it means under Docker: %s",
    async (_names, batch) => {
      await Promise.all(
        batch.map(async (image) => {
          const { name, config, argv, as = "0:0", folder = "/", endsBy = "TERM" } = image;
          const { lines, ports, health, check } = await replay(image);
          const volumes = Object.keys(config.Volumes ?? {}).filter((path) => !path.includes("/postgresql/"));
          const expected = [
            ...[`argv ${argv}`.trim(), `as ${as}`, `in ${folder}`, `ends by ${endsBy}`],
            ...(config.Env ?? []).map((entry) => `env ${entry}`),
            ...volumes.map((path) => `has ${path}`),
          ];
          const said = lines.map((line) => line.trim());
          expect({ name, missing: expected.filter((line) => !said.includes(line)), said }).toMatchObject({
            ...{ name, missing: [] },
          });
          if (image.ports) expect([name, ports]).toEqual([name, [...image.ports]]);
          expect({ name, check, state: health?.state }).toEqual({
            ...{ name, check: image.health && [...image.health] },
            state: image.health && "starting",
          });
        }),
      );
    },
    60_000,
  );
});
