import { join } from "node:path";
import { pino } from "pino";
import { DEFAULT_LIMITS, type Limits } from "../../agents/containers/limits.ts";
import { AddressPool } from "../../agents/network/addresses.ts";
import { HostReconciler } from "../../agents/reconciler/reconciler.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { testSubnet } from "./containers/specs.ts";
import { newId } from "./network/nft/rules.ts";

/** An agent in this process, without a control plane, that runs one container. */
export interface LoneAgent {
  readonly id: string;
  /** The container's folder. */
  readonly folder: string;
  /** All that was reported of the container: each state, with its error. */
  readonly reported: string[];
  /** Deletes the container, and ends. */
  stop(): Promise<void>;
}

export async function startLoneAgent(
  command: readonly string[],
  limits: Limits = DEFAULT_LIMITS,
): Promise<LoneAgent> {
  const id = newId();
  const data = temporaryFolder();
  const reported: string[] = [];
  const agent = new HostReconciler({
    server: "node-9",
    driver: newDriver(new AddressPool(testSubnet(10)), { limits }),
    filter: null,
    limits,
    data,
    reports: {
      container: (_id, { state, error }) => reported.push(error === null ? state : `${state}: ${error}`),
      firewall: () => undefined,
    },
    log: pino({ level: "silent" }),
  });
  await agent.start();
  const wanted = {
    server_name: "node-9",
    id,
    project_id: "0".repeat(24),
    name: "web",
    generation: 0,
    command,
  };
  agent.desire(`container.${id}`, { ...wanted, revision: 1, state: "running" });
  return {
    id,
    folder: join(data, "containers", id),
    reported,
    stop: async () => {
      agent.desire(`container.${id}`, { ...wanted, revision: 2, state: "deleted" });
      await until(() => reported.includes("deleted"));
      await agent.close();
      await agent.shutdown();
    },
  };
}
