import type { Alias, Container, ListedRule, StorageShare } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { readFirewall } from "../commands/firewall.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { readRows, reply } from "../read.ts";
import type { WantedProject } from "./project.ts";

/** What there is of a project now. */
export interface Present {
  readonly projectId: string | undefined;
  readonly containers: readonly Container[];
  readonly shares: readonly StorageShare[];
  readonly aliases: readonly Alias[];
  /** By the names of servers. */
  readonly serverIds: ReadonlyMap<string, string>;
  /** By the ids of containers whose rules the file knows. */
  readonly firewalls: ReadonlyMap<string, { readonly rules: readonly ListedRule[]; readonly etag: string }>;
  /** By references of images that are aliases of the catalogue. */
  readonly catalogue: ReadonlyMap<string, string>;
}

export async function readPresent(cli: Cli, wanted: WantedProject): Promise<Present> {
  const api = await cli.api();
  const project = (await readRows(api, NOUNS.project.read)).find(({ name }) => name === wanted.name);
  const ofProject = <Row extends { readonly project_id: string }>(rows: readonly Row[]) =>
    rows.filter(({ project_id }) => project_id === project?.id);
  const containers = ofProject(await readRows(api, NOUNS.container.read)).filter(
    ({ state }) => state !== "deleted",
  );
  const serverIds = new Map<string, string>();
  for (const server of new Set(wanted.containers.map((one) => one.server).filter((one) => one !== "")))
    serverIds.set(server, await idOf(cli, NOUNS.server, server));
  const guarded = containers.filter(({ name }) =>
    wanted.containers.some((one) => one.name === name && one.firewall !== undefined),
  );
  return {
    projectId: project?.id,
    containers,
    shares: ofProject(await readRows(api, NOUNS.share.read)),
    aliases: await readRows(api, NOUNS.alias.read),
    serverIds,
    firewalls: new Map(
      await Promise.all(guarded.map(async ({ id }) => [id, await readFirewall(cli, id)] as const)),
    ),
    catalogue: await readCatalogue(cli, wanted),
  };
}

/** An alias of the catalogue wins over a reference, as it does in `containers create`. */
async function readCatalogue(cli: Cli, wanted: WantedProject): Promise<Map<string, string>> {
  const api = await cli.api();
  const references = new Set(wanted.containers.flatMap(({ image }) => (image === undefined ? [] : [image])));
  const found = new Map<string, string>();
  for (const search of references) {
    const { data } = await reply(api.GET("/api/v1/images/public", { params: { query: { search } } }));
    const image = data.images.find(({ alias }) => alias === search);
    if (image !== undefined) found.set(search, image.id);
  }
  return found;
}
