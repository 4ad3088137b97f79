import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { IMAGE_STORE } from "../../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";
import { OciDriver } from "../../../../agents/containers/oci/driver.ts";
import { AddressPool } from "../../../../agents/network/addresses.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { HostReconciler } from "../../../../agents/reconciler/reconciler.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";

export const SERVER = "node-9";

export interface LocalAgentOptions {
  readonly data: string;
  readonly subnet: string;
  /** Its table of rules. */
  readonly table: string;
  /** `127.0.0.1:<port>` of the registry that it pulls images from. */
  readonly registry: string;
}

/** An agent in this process, without a control plane. */
export async function startLocalAgent({ data, subnet, table, registry }: LocalAgentOptions) {
  const last = new Map<string, Pick<ContainerStatus, "state" | "revision" | "error" | "image">>();
  const log = pino({ level: "silent" });
  const settings = {
    ...{ local: new Map([[registry, new URL(`http://${registry}`)]]), mirrors: new Map() },
    credentialsFile: null,
  };
  const reconciler = new HostReconciler({
    server: SERVER,
    driver: new OciDriver(new AddressPool(subnet), { idRanges: join(data, "id-ranges") }),
    filter: new PacketFilter(table),
    images: new Images({ folder: join(data, IMAGE_STORE), settings, limits: DEFAULT_LIMITS, log }),
    data,
    reports: { container: (id, status) => last.set(id, status), firewall: () => undefined },
    log,
  });
  await reconciler.start();
  return {
    reconciler,
    /** What it reported of a container last. */
    last: (id: string) => last.get(id) ?? null,
  };
}
export type LocalAgent = Awaited<ReturnType<typeof startLocalAgent>>;

/** Whether a container has this image, and no newer one is looked for. */
export const isReady = (image: ContainerStatus["image"], digest: string): boolean =>
  image?.state === "ready" && image.digest === digest;
