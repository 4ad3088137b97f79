import { STOP_GRACE_SECONDS } from "../../schemas/hosting/container-settings.ts";
import type { DesiredContainer } from "../../schemas/hosting/desired.ts";
import type { ContainerSpec } from "../containers/driver.ts";
import { signalNumber } from "../containers/images/launch.ts";
import type { ContainerRecord } from "./store.ts";

/** What a driver is told about a container. The layers of its image are added where it is created. @param folder its own on this host */
export function specOf(record: ContainerRecord, folder: string): ContainerSpec {
  const { id, desired, address, image } = record;
  const { name, command, entrypoint, env } = desired;
  return {
    ...{ id, name, command, address, folder, image: null },
    tenant: tenantOf(record),
    isPart: desired.part_id !== undefined && tenantOf(record) === desired.part_id,
    stopSignal: signalNumber(desired.stop_signal ?? "") ?? image?.stop_signal ?? null,
    ...(entrypoint && { entrypoint }),
    ...(env && { env }),
    ...resourcesOf(desired),
  };
}

/** Whose control group it has. A run stays in the group that it was started in. */
export const tenantOf = ({ init, tenant, desired }: ContainerRecord): string =>
  init === null ? (desired.part_id ?? desired.project_id) : (tenant ?? desired.project_id);

export const resourcesOf = ({ resources, server_resources }: DesiredContainer) => ({
  ...(resources && { resources }),
  ...(server_resources && { serverResources: server_resources }),
});

/** Programs can close their files, and the user waits for it. */
export const graceMsOf = ({ desired }: ContainerRecord): number =>
  (desired.stop_grace_seconds ?? STOP_GRACE_SECONDS) * 1_000;
