import { idsOf, orphansOf, planOf, type Step, uncomparedOf } from "../../../../../client/compose/plan.ts";
import { readPresent } from "../../../../../client/compose/present.ts";
import type { WantedProject } from "../../../../../client/compose/project.ts";
import type { Target } from "../../../../../client/compose/target.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import type { ServerChoice } from "../../lib/servers.ts";

export type ComposeFile = Schemas["ReadComposeFile"];

export interface PlanChoices {
  readonly withSecrets: boolean;
  readonly removeOrphans: boolean;
}

/** What a file changes in its project. */
export interface Plan {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Containers of services that are no longer in the file. */
  readonly orphans: readonly string[];
  /** Containers whose secrets may differ from the file's. */
  readonly uncompared: readonly string[];
  /** Of the project: once it is there. */
  projectId(): string;
}

/** The gateway reads the file; what it asks for is compared here, by the code of `berth up`. */
export async function readPlan(
  file: ComposeFile,
  servers: readonly ServerChoice[],
  choices: PlanChoices,
): Promise<Plan> {
  const read = await dataOf(api.POST("/api/v1/projects/compose", { body: file }));
  const wanted = { file: "", ...read } as WantedProject;
  const target = targetOf(servers);
  const present = await readPresent(target, wanted);
  const ids = idsOf(present);
  return {
    name: wanted.name,
    steps: planOf(target, wanted, present, ids, choices),
    orphans: orphansOf(wanted, present).map(({ name }) => name),
    uncompared: uncomparedOf(wanted, present),
    projectId: () => ids.projectId,
  };
}

const targetOf = (servers: readonly ServerChoice[]): Target => ({
  api,
  async serverId(name) {
    const found = servers.find((one) => one.name === name);
    if (found === undefined) throw new Error(`You rent no server named "${name}", and share none.`);
    return found.id;
  },
  async untilDeleted({ id, name }, remove) {
    await remove();
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      if (await isDeleted(id)) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`The host of ${name} has not deleted it yet.`);
  },
  async untilRestarted(_id, restart) {
    await restart();
  },
});

/** Five minutes, as `berth up` waits. */
const LOOKS_MAX = 300;
const LOOK_MS = 1_000;

async function isDeleted(id: string): Promise<boolean> {
  const query = { resource_id: id, event_type: "container.deleted", limit: "1" } as const;
  return (await dataOf(api.GET("/api/v1/events", { params: { query } }))).events.length > 0;
}
