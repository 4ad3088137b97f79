import type { Alias, CreateContainer, CreateStorageShare, UpdateContainer } from "../index.ts";
import { reply } from "../reply.ts";
import type { Ids } from "./plan.ts";
import { readRules } from "./present.ts";
import { compareRules } from "./rules.ts";
import type { WantedContainer } from "./service.ts";
import type { Target } from "./target.ts";

/** How each change is made. Ids of what is new are kept for the changes that follow. */

/** Settings that a running container gets when it is started again. */
export const NEEDS_RESTART = ["command", "args", "env", "volumes"];

export async function project({ api }: Target, name: string, ids: Ids): Promise<void> {
  const { data } = await reply(api.POST("/api/v1/projects", { body: { name } }));
  ids.projectId = data.id;
}

export async function share(
  { api }: Target,
  fields: Pick<CreateStorageShare, "name" | "server_id" | "size_bytes">,
  ids: Ids,
): Promise<void> {
  const body = { ...fields, project_id: ids.projectId };
  const { data } = await reply(api.POST("/api/v1/storage-shares", { body }));
  ids.shares.set(data.name, data.id);
}

export async function growth({ api }: Target, id: string, size_bytes: number): Promise<void> {
  const request = { params: { path: { id } }, body: { size_bytes } };
  await reply(api.PATCH("/api/v1/storage-shares/{id}", request));
}

export async function container({ api }: Target, body: CreateContainer, ids: Ids): Promise<void> {
  const { data } = await reply(api.POST("/api/v1/containers", { body }));
  ids.containers.set(data.name, data.id);
}

/** One that somebody else has changed in the meantime is refused. */
export async function change({ api }: Target, id: string, body: UpdateContainer): Promise<void> {
  const { response } = await api.GET("/api/v1/containers/{id}", { params: { path: { id } } });
  const header = { "If-Match": response.headers.get("etag") ?? "" };
  await reply(api.PATCH("/api/v1/containers/{id}", { params: { path: { id }, header }, body }));
}

export const deletion = (target: Target, id: string, name: string): Promise<void> =>
  target.untilDeleted({ id, name }, () =>
    reply(target.api.DELETE("/api/v1/containers/{id}", { params: { path: { id } } })),
  );

export async function start({ api }: Target, id: string): Promise<void> {
  await reply(api.POST("/api/v1/containers/{id}/start", { params: { path: { id } } }));
}

export const restart = (target: Target, id: string): Promise<void> =>
  target.untilRestarted(id, () =>
    reply(target.api.POST("/api/v1/containers/{id}/restart", { params: { path: { id } } })),
  );

export const volumesOf = ({ volumes: wanted }: WantedContainer, ids: Ids) =>
  wanted.map(({ share: name, path, read_only }) => ({
    share_id: ids.shares.get(name) ?? "",
    path,
    read_only,
  }));

export async function volumes({ api }: Target, id: string, wanted: WantedContainer, ids: Ids): Promise<void> {
  const request = { params: { path: { id } }, body: { volumes: volumesOf(wanted, ids) } };
  await reply(api.PUT("/api/v1/containers/{id}/volumes", request));
}

/** Compares once more: a container that was made again has none of its former rules. */
export async function firewall(
  { api }: Target,
  { name, firewall: wanted }: WantedContainer,
  ids: Ids,
): Promise<void> {
  const id = ids.containers.get(name) ?? "";
  const { rules: present, etag } = await readRules(api, id);
  const { rules } = compareRules(present, wanted ?? []);
  const params = { path: { id }, header: { "If-Match": etag } };
  await reply(api.PUT("/api/v1/containers/{id}/firewall/rules", { params, body: { rules } }));
}

type Program = { readonly program: string; readonly port?: number };

export async function alias(
  { api }: Target,
  container: string,
  name: string,
  target: Program,
  ids: Ids,
): Promise<void> {
  const body = { alias: name, container_id: ids.containers.get(container) ?? "", ...target };
  await reply(api.POST("/api/v1/proxy/aliases", { body }));
}

export async function aliasChange({ api }: Target, { id, enabled }: Alias, body: Program): Promise<void> {
  const params = { path: { id } };
  await reply(api.PATCH("/api/v1/proxy/aliases/{id}", { params, body }));
  if (!enabled)
    await reply(api.PATCH("/api/v1/proxy/aliases/{id}/state", { params, body: { enabled: true } }));
}

export async function aliasDeletion({ api }: Target, id: string): Promise<void> {
  await reply(api.DELETE("/api/v1/proxy/aliases/{id}", { params: { path: { id } } }));
}
