import type { Alias, Container, FirewallListing, ListedRule, StorageShare } from "../index.ts";
import { items } from "../pages.ts";
import { reply } from "../reply.ts";
import type { WantedProject } from "./project.ts";
import type { Api, Target } from "./target.ts";

/** What there is of a project now. */
export interface Present {
  readonly projectId: string | undefined;
  readonly containers: readonly Container[];
  readonly shares: readonly StorageShare[];
  readonly aliases: readonly Alias[];
  /** By the names of servers. */
  readonly serverIds: ReadonlyMap<string, string>;
  /** By the ids of containers whose rules the file knows. */
  readonly firewalls: ReadonlyMap<string, readonly ListedRule[]>;
  /** By references of images that are aliases of the catalogue. */
  readonly catalogue: ReadonlyMap<string, string>;
}

export async function readPresent({ api, serverId }: Target, wanted: WantedProject): Promise<Present> {
  const projectId = (await readProjects(api)).find(({ name }) => name === wanted.name)?.id;
  const known = projectId === undefined ? undefined : await readParts(api, projectId);
  const containers = known?.containers ?? [];
  const serverIds = new Map<string, string>();
  for (const name of new Set(wanted.containers.map(({ server }) => server).filter((one) => one !== "")))
    serverIds.set(name, await serverId(name));
  const guarded = containers.filter(({ name }) =>
    wanted.containers.some((one) => one.name === name && one.firewall !== null),
  );
  const rules = guarded.map(async ({ id }) => [id, (await readRules(api, id)).rules] as const);
  return {
    projectId,
    containers,
    shares: known?.shares ?? [],
    aliases: await readAliases(api),
    serverIds,
    firewalls: new Map(await Promise.all(rules)),
    catalogue: await readCatalogue(api, wanted),
  };
}

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** The most that the API gives at once. */
const PAGE = { limit: "500" };

const all = <Row>(
  read: (query: { limit: string; cursor?: string }) => Promise<PageOf<Row>>,
): Promise<Row[]> =>
  Array.fromAsync(items((cursor) => read(cursor === undefined ? PAGE : { ...PAGE, cursor })));

const readProjects = (api: Api) =>
  all(async (query) => {
    const { data } = await reply(api.GET("/api/v1/projects", { params: { query } }));
    return { items: data.projects, pagination: data.pagination };
  });

const readAliases = (api: Api) =>
  all(async (query) => {
    const { data } = await reply(api.GET("/api/v1/proxy/aliases", { params: { query } }));
    return { items: data.aliases, pagination: data.pagination };
  });

async function readParts(api: Api, project_id: string) {
  const containers = await all(async (page) => {
    const query = { ...page, project_id };
    const { data } = await reply(api.GET("/api/v1/containers", { params: { query } }));
    return { items: data.containers, pagination: data.pagination };
  });
  const shares = await all(async (page) => {
    const query = { ...page, project_id };
    const { data } = await reply(api.GET("/api/v1/storage-shares", { params: { query } }));
    return { items: data.storage_shares, pagination: data.pagination };
  });
  return { containers: containers.filter(({ state }) => state !== "deleted"), shares };
}

/** An alias of the catalogue wins over a reference, as it does in `containers create`. */
async function readCatalogue(api: Api, wanted: WantedProject): Promise<Map<string, string>> {
  const references = new Set(wanted.containers.flatMap(({ image }) => (image === null ? [] : [image])));
  const found = new Map<string, string>();
  for (const search of references) {
    const { data } = await reply(api.GET("/api/v1/images/public", { params: { query: { search } } }));
    const image = data.images.find(({ alias }) => alias === search);
    if (image !== undefined) found.set(search, image.id);
  }
  return found;
}

/** All rules of a container, and the revision that a change of them names. */
export async function readRules(
  api: Api,
  id: string,
): Promise<{ rules: ListedRule[]; listing: FirewallListing; etag: string }> {
  let first: { listing: FirewallListing; etag: string } | undefined;
  const rules = await all(async (query) => {
    const params = { path: { id }, query };
    const { data: body, response } = await api.GET("/api/v1/containers/{id}/firewall/rules", { params });
    if (body === undefined) throw new Error("the rules could not be read");
    first ??= { listing: body.data, etag: response.headers.get("etag") ?? "" };
    const { ingress, egress, pagination } = body.data;
    return { items: [...ingress, ...egress], pagination };
  });
  if (first === undefined) throw new Error("the rules could not be read");
  return { rules, ...first };
}
