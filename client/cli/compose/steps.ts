import type { Alias, CreateContainer, CreateStorageShare } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { readFirewall } from "../commands/firewall.ts";
import { compareRules } from "../commands/firewall-file.ts";
import { count, reply } from "../read.ts";
import { WAIT_SECONDS, waitFor } from "../wait.ts";
import type { Ids } from "./plan.ts";
import type { WantedContainer } from "./service.ts";

/** How `up` makes each change. Ids of what is new are kept for the changes that follow. */

/** Settings that a running container gets when it is started again. */
export const NEEDS_RESTART = ["command", "args", "env", "volumes"];

export async function project(cli: Cli, name: string, ids: Ids): Promise<void> {
  const { data } = await reply((await cli.api()).POST("/api/v1/projects", { body: { name } }));
  ids.projectId = data.id;
}

export async function share(
  cli: Cli,
  fields: Pick<CreateStorageShare, "name" | "server_id" | "size_bytes">,
  ids: Ids,
): Promise<void> {
  const body = { ...fields, project_id: ids.projectId };
  const { data } = await reply((await cli.api()).POST("/api/v1/storage-shares", { body }));
  ids.shares.set(data.name, data.id);
}

export async function growth(cli: Cli, id: string, size_bytes: number): Promise<void> {
  const request = { params: { path: { id } }, body: { size_bytes } };
  await reply((await cli.api()).PATCH("/api/v1/storage-shares/{id}", request));
}

export async function container(cli: Cli, body: CreateContainer, ids: Ids): Promise<void> {
  const { data } = await reply((await cli.api()).POST("/api/v1/containers", { body }));
  ids.containers.set(data.name, data.id);
}

/** Its name is free when its host has deleted it. */
export async function deletion(cli: Cli, id: string, name: string): Promise<void> {
  const api = await cli.api();
  await waitFor(cli, {
    what: `the deletion of ${name}`,
    timeoutSeconds: count(WAIT_SECONDS),
    change: () => reply(api.DELETE("/api/v1/containers/{id}", { params: { path: { id } } })),
    check: async (event) =>
      (event?.event_type === "container.deleted" && event.resource_id === id) || undefined,
  });
}

export async function start(cli: Cli, id: string): Promise<void> {
  await reply((await cli.api()).POST("/api/v1/containers/{id}/start", { params: { path: { id } } }));
}

/** @param isAwaited whether it returns when its host has done it: a container that restarts says "running" all the time */
export async function restart(cli: Cli, id: string, isAwaited: boolean): Promise<void> {
  const api = await cli.api();
  const change = () => reply(api.POST("/api/v1/containers/{id}/restart", { params: { path: { id } } }));
  if (!isAwaited) return void (await change());
  await waitFor(cli, {
    what: "the restart of a container",
    timeoutSeconds: count(WAIT_SECONDS),
    change,
    check: async (event) =>
      (event?.event_type === "container.restarted" && event.resource_id === id) || undefined,
  });
}

export const volumesOf = ({ volumes: wanted }: WantedContainer, ids: Ids) =>
  wanted.map(({ share: name, path, read_only }) => ({
    share_id: ids.shares.get(name) ?? "",
    path,
    read_only,
  }));

export async function volumes(cli: Cli, id: string, wanted: WantedContainer, ids: Ids): Promise<void> {
  const request = { params: { path: { id } }, body: { volumes: volumesOf(wanted, ids) } };
  await reply((await cli.api()).PUT("/api/v1/containers/{id}/volumes", request));
}

/** Compares once more: a container that was made again has none of its former rules. */
export async function firewall(
  cli: Cli,
  { name, firewall: wanted }: WantedContainer,
  ids: Ids,
): Promise<void> {
  const id = ids.containers.get(name) ?? "";
  const { rules: present, etag } = await readFirewall(cli, id);
  const { rules } = compareRules(present, wanted ?? []);
  const params = { path: { id }, header: { "If-Match": etag } };
  await reply((await cli.api()).PUT("/api/v1/containers/{id}/firewall/rules", { params, body: { rules } }));
}

type Target = { readonly program: string; readonly port?: number };

export async function alias(
  cli: Cli,
  container: string,
  name: string,
  target: Target,
  ids: Ids,
): Promise<void> {
  const body = { alias: name, container_id: ids.containers.get(container) ?? "", ...target };
  await reply((await cli.api()).POST("/api/v1/proxy/aliases", { body }));
}

export async function aliasChange(cli: Cli, { id, enabled }: Alias, body: Target): Promise<void> {
  const api = await cli.api();
  const params = { path: { id } };
  await reply(api.PATCH("/api/v1/proxy/aliases/{id}", { params, body }));
  if (!enabled)
    await reply(api.PATCH("/api/v1/proxy/aliases/{id}/state", { params, body: { enabled: true } }));
}

export async function aliasDeletion(cli: Cli, id: string): Promise<void> {
  await reply((await cli.api()).DELETE("/api/v1/proxy/aliases/{id}", { params: { path: { id } } }));
}
