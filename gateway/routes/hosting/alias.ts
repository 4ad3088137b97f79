import { createHash, randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { listAliases, readAlias } from "../../../actors/hosting/alias/queries.ts";
import { readHostPlacement } from "../../../actors/market/server/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { edgeUrl } from "../../../schemas/addresses.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  ALIASES_SORT,
  type Alias,
  AliasesQuery,
  AliasesReply,
  type AliasRecord,
  AliasReply,
  AliasState,
  CreateAlias,
  OneAliasReply,
  PatchAlias,
} from "../../../schemas/hosting/alias.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import type { ContainerAct } from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import type { ActorOperation, Operation } from "../../idempotency.ts";
import { withPortNumber } from "./alias-port.ts";
import { reachableContainer } from "./container.ts";
import { assertHasProgram } from "./container-program.ts";

/** 48 hexadecimal characters that cannot be guessed (spec, control plane §2 "Proxy alias"). */
const generatedLabel = (): string => randomBytes(24).toString("hex");

/** The users of a server share its alias actor, so an idempotency key is scoped to its user. */
function userScopedKey({ userId }: Caller, operation: Operation, about = ""): ActorOperation {
  if (!operation.hasClientKey) return operation;
  return operation.under(createHash("sha256").update(`${userId}\0${about}\0${operation.key}`).digest("hex"));
}

/** Proxy aliases of the caller's containers (spec, control plane §4.5). */
export const aliasRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, newId, edge, awaitAliasApplied } = context;
  const shown = (alias: AliasRecord): Alias => ({
    ...alias,
    url: edgeUrl(alias.alias, alias.server_name, edge),
  });

  /** The record, after its host has applied it: a request to the URL after this reply finds the new state. */
  async function reached({ alias, revision }: { alias: AliasRecord; revision: number }): Promise<Alias> {
    await awaitAliasApplied(alias.server_name, { id: alias.id, revision });
    return shown(alias);
  }

  /** An alias whose container the caller may do this with. @throws ALIAS_NOT_FOUND, also for an alias of somebody else. */
  async function reachable(caller: Caller, act: ContainerAct, id: string) {
    const missing = new DomainError("ALIAS_NOT_FOUND", "Proxy alias not found");
    const found = await readAlias(db, id);
    if (found === undefined) throw missing;
    const container = await reachableContainer(context, caller, act, found.alias.container_id).catch(
      (error) => {
        throw error instanceof DomainError && error.code === "CONTAINER_NOT_FOUND" ? missing : error;
      },
    );
    return { ...found, container };
  }

  /** The container that is to be exposed, which has the program. */
  async function placeFor(caller: Caller, { container_id, program }: CreateAlias) {
    const container = await reachableContainer(context, caller, "expose", container_id);
    assertHasProgram(container, program);
    const host = await readHostPlacement(db, container.server_id);
    if (host === undefined) throw new DomainError("SERVER_NOT_FOUND", "Server not found");
    return { ...container, ...host };
  }

  async function update(caller: Caller, id: string, asked: PatchAlias, operation: Operation) {
    const { alias, container } = await reachable(caller, "expose", id);
    // A client may send back all that it read, also where the container has another image by now.
    if (asked.program !== undefined && asked.program !== alias.program)
      assertHasProgram(container, asked.program);
    const numbered = withPortNumber(asked, container.ports, asked.program ?? alias.program);
    const { value } = await actors
      .alias(alias.server_id)
      .update(
        { id, asked: numbered, generated: generatedLabel(), by: caller.userId },
        userScopedKey(caller, operation, id),
      );
    return reached(value);
  }

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("aliases", caller), query, LIST_PAGE, ALIASES_SORT);
        const { rows, next, total } = await listAliases(db, caller, query, page);
        return ok("Proxy aliases", {
          aliases: rows.map(shown),
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: AliasesQuery,
        response: { 200: AliasesReply },
        detail: { summary: "Your proxy aliases, oldest first" },
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => {
        const { alias, projectName, container } = await reachable(caller, "read", params.id);
        return ok("Proxy alias", {
          ...shown(alias),
          project: { id: alias.project_id, alias: projectName },
          container: { id: container.id, name: container.name },
        });
      },
      {
        params: IdParams,
        response: { 200: OneAliasReply, ...errors("ALIAS_NOT_FOUND") },
        detail: { summary: "A proxy alias, with its project and container" },
      },
    );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/",
      async ({ caller, body, operation }) => {
        const id = actorIdFor("alias", caller.userId, operation, newId);
        // A repeated key is recognized before any other check, even if the container is gone by now.
        const made = operation.hasClientKey ? (await readAlias(db, id))?.alias : undefined;
        const place =
          made !== undefined && inRealm(caller, made.project_id)
            ? { ...made, subserver_id: null }
            : await placeFor(caller, body);
        const known = { name: body.port, port: made?.index ?? 0, protocol: made?.program };
        const asked = withPortNumber(body, "ports" in place ? place.ports : [known]);
        const { user_id, project_id, server_id, server_name, subserver_id, subserver_name } = place;
        const { value } = await actors.alias(server_id).create(
          {
            id,
            user_id,
            project_id,
            server_name,
            subserver_id,
            subserver_name,
            asked,
            generated: generatedLabel(),
            by: caller.userId,
          },
          userScopedKey(caller, operation),
        );
        return created("Proxy alias created", await reached(value));
      },
      {
        body: CreateAlias,
        response: {
          201: AliasReply,
          ...errors(
            "INVALID_ALIAS_FORMAT",
            "CONTAINER_NOT_FOUND",
            "ALIAS_IN_USE",
            "ALIAS_RESERVED",
            "QUOTA_EXCEEDED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Expose a container under a short name",
          description:
            "The container is on a server that you rent, or on one of a pool in which you are an admin. A name is unique on the " +
            "container's server. The target port of http, https and ssh is `port`, else `index`, " +
            "else the one in `program`, else 80, 443 or 22. Other programs have a port of their own: `port` is refused. " +
            "Every container has `terminal`, `pipe`, `notifications` and `files`; its image may declare more, which `image.programs` of the container lists " +
            "(labels `berth.program.<name>`), such as `code` and `display`. A program that the container lacks is a 400. Of `display`, `index` is the number of the X display.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body, operation }) =>
        ok("Proxy alias updated", await update(caller, params.id, body, operation)),
      {
        params: IdParams,
        body: PatchAlias,
        response: {
          200: AliasReply,
          ...errors(
            "INVALID_ALIAS_FORMAT",
            "ALIAS_NOT_FOUND",
            "ALIAS_IN_USE",
            "ALIAS_RESERVED",
            "ALIAS_EXPIRED",
          ),
        },
        detail: {
          summary: "Change a proxy alias; what is left out stays as it is",
          description:
            "A new name changes the URL at once and frees the old one. An `expires_at` in the past is refused; to stop an alias, disable it. An alias " +
            "that has expired stays disabled until it is enabled together with, or after, a later `expires_at`.",
        },
      },
    )
    .patch(
      "/:id/state",
      async ({ caller, params, body, operation }) =>
        ok(
          body.enabled ? "Proxy alias enabled" : "Proxy alias disabled",
          await update(caller, params.id, body, operation),
        ),
      {
        params: IdParams,
        body: AliasState,
        response: { 200: AliasReply, ...errors("ALIAS_NOT_FOUND", "ALIAS_RESERVED", "ALIAS_EXPIRED") },
        detail: { summary: "Enable or disable a proxy alias" },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const { alias } = await reachable(caller, "delete", params.id);
        await actors
          .alias(alias.server_id)
          .delete({ id: params.id, by: caller.userId }, userScopedKey(caller, operation, params.id));
        await awaitAliasApplied(alias.server_name, { id: alias.id, revision: null });
        return done("Proxy alias deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("ALIAS_NOT_FOUND") },
        detail: { summary: "Delete a proxy alias: its URL answers 404 at once, and its name is free" },
      },
    );

  return new Elysia({ prefix: "/api/v1/proxy/aliases", detail: { tags: ["Proxy aliases"] } })
    .use(reading)
    .use(writing);
};
