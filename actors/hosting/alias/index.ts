import { Type } from "@sinclair/typebox";
import { serverAudience } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { AliasRecord, AliasToCreate, AliasToPatch } from "../../../schemas/hosting/alias.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { DESIRED_TOPIC, type DesiredRef } from "../host/desired.ts";
import {
  type AliasEntry,
  type AliasServer,
  type Circumstances,
  changeAlias,
  eventsBetween,
  lapse,
  makeAlias,
  NO_ALIASES,
  nextExpiryMs,
} from "./rules.ts";
import { aliasServerTable, aliasTable } from "./table.ts";

type State = AliasServer | null;

const Generated = { generated: Type.String() };
/** The caller. In a pool it may be another user than the container's owner. */
const By = { by: Type.Optional(Id) };
/** The gateway has checked that the caller may expose the container, and has generated the id and a label. */
const CreateInput = Strict({
  id: Id,
  server_name: Type.String(),
  subserver_id: Type.Optional(Nullable(Id)),
  subserver_name: Type.Optional(Nullable(Type.String())),
  user_id: Id,
  project_id: Id,
  asked: AliasToCreate,
  ...Generated,
  ...By,
});
const UpdateInput = Strict({ id: Id, asked: AliasToPatch, ...Generated, ...By });
/** With the revision that is published to its host. */
const Written = Type.Object({ alias: AliasRecord, revision: Type.Integer() });
const Done = Type.Object({});

/** Expired aliases that one message disables; the next message takes the next ones. */
const EXPIRED_AT_ONCE_MAX = 500;
const EXPIRY = "expiry";

/** The aliases of a physical server. Keyed by server: names are unique on a server, so one actor assigns them. */
export const aliasActor = ({ reserved, quotas }: Pick<Circumstances, "reserved" | "quotas">) =>
  actor("alias", {
    table: aliasServerTable,
    hasTasks: true,
    empty: (): State => null,
    conflicts: {
      ...deletedAccountConflict(),
      // The same key was used for an alias of another server at the same time.
      aliases_id: {
        code: "IDEMPOTENCY_KEY_REUSED",
        message: "this idempotency key was used for another request",
      },
    },
    on: {
      create: command(
        CreateInput,
        Written,
        (state: State, input, ctx: Context<State>) => {
          const server = state ?? NO_ALIASES;
          const placement = {
            id: input.id,
            serverName: input.server_name,
            subserverId: input.subserver_id ?? null,
            subserverName: input.subserver_name ?? null,
            userId: input.user_id,
            projectId: input.project_id,
            containerId: input.asked.container_id,
            revision: server.revision + 1,
          };
          const { generated } = input;
          const alias = makeAlias(server, placement, input.asked, {
            now: ctx.now,
            generated,
            reserved,
            quotas,
          });
          saveAlias(ctx, server, alias);
          ctx.insert("aliases", aliasTable.row(ctx.actorId, alias));
          recordAliasEvent(ctx, "proxy_alias.created", alias, input.by);
          return written(ctx.actorId, alias);
        },
        // Values that the gateway generated or looked up may differ in a replay.
        { fingerprint: ({ asked }) => fingerprintOf(asked) },
      ),

      update: command(
        UpdateInput,
        Written,
        (state: State, { id, asked, generated, by }, ctx: Context<State>) => {
          const server = state ?? NO_ALIASES;
          const known = requireAlias(server, id);
          const before = lapse(known, ctx.now);
          const after = changeAlias(server, before, asked, { now: ctx.now, generated, reserved, quotas });
          // An expiry that has not been recorded yet is recorded first, then the requested change.
          const events = [...eventsBetween(known, before, ctx.now), ...eventsBetween(before, after, ctx.now)];
          if (events.length === 0) return written(ctx.actorId, known);
          const alias = { ...after, revision: server.revision + 1, updatedAt: ctx.now };
          saveAlias(ctx, server, alias);
          ctx.update("aliases", aliasTable.row(ctx.actorId, alias));
          for (const { type, changed } of events)
            recordAliasEvent(ctx, type, alias, by, changed && { changed });
          return written(ctx.actorId, alias);
        },
        { fingerprint: ({ id, asked }) => JSON.stringify([id, fingerprintOf(asked)]) },
      ),

      delete: command(Strict({ id: Id, ...By }), Done, (state: State, { id, by }, ctx: Context<State>) => {
        const server = state ?? NO_ALIASES;
        remove(ctx, server, [requireAlias(server, id)], by);
        return {};
      }),

      /** Deletes the aliases of a deleted container. */
      discard: command(
        Strict({ container_id: Id }),
        Done,
        (state: State, { container_id }, ctx: Context<State>) => {
          const server = state ?? NO_ALIASES;
          const own = [...server.aliases.values()].filter((alias) => alias.containerId === container_id);
          if (own.length > 0) remove(ctx, server, own);
          return {};
        },
      ),

      /** A user's own domain leads to the alias from now on, or does so no longer. */
      set_domain: command(
        Strict({ id: Id, domain: Type.String(), is_connected: Type.Boolean() }),
        Done,
        (state: State, { id, domain, is_connected }, ctx: Context<State>) => {
          const server = state ?? NO_ALIASES;
          const known = server.aliases.get(id);
          // An alias that is deleted has no domains to change.
          if (known === undefined || known.domains.includes(domain) === is_connected) return {};
          const others = known.domains.filter((one) => one !== domain);
          const domains = is_connected ? [...others, domain] : others;
          const alias = { ...known, domains, revision: server.revision + 1 };
          saveAlias(ctx, server, alias);
          ctx.update("aliases", aliasTable.row(ctx.actorId, alias));
          return {};
        },
      ),

      /** Disables expired aliases, on the timer of the server's next expiry. */
      expire: command(Strict({}), Done, (state: State, _input, ctx: Context<State>) => {
        const server = state ?? NO_ALIASES;
        const aliases = new Map(server.aliases);
        let { revision } = server;
        for (const written of server.aliases.values()) {
          if (revision - server.revision === EXPIRED_AT_ONCE_MAX) break;
          const lapsed = lapse(written, ctx.now);
          if (lapsed === written) continue;
          revision += 1;
          const alias = { ...lapsed, revision, updatedAt: ctx.now };
          aliases.set(alias.id, alias);
          ctx.update("aliases", aliasTable.row(ctx.actorId, alias));
          publishDesired(ctx, alias);
          recordAliasEvent(ctx, "proxy_alias.expired", alias);
        }
        setServer(ctx, server, { revision, aliases });
        return {};
      }),
    },
  });

function requireAlias({ aliases }: AliasServer, id: string): AliasEntry {
  const alias = aliases.get(id);
  if (alias === undefined) throw new DomainError("ALIAS_NOT_FOUND", "Proxy alias not found");
  return alias;
}

function saveAlias(ctx: Context<State>, server: AliasServer, alias: AliasEntry): void {
  const aliases = new Map(server.aliases).set(alias.id, alias);
  setServer(ctx, server, { revision: alias.revision, aliases });
  publishDesired(ctx, alias);
}

function remove(ctx: Context<State>, server: AliasServer, gone: readonly AliasEntry[], by?: string): void {
  const aliases = new Map(server.aliases);
  for (const alias of gone) {
    aliases.delete(alias.id);
    ctx.remove("aliases", { id: alias.id });
    publishDesired(ctx, alias);
    recordAliasEvent(ctx, "proxy_alias.deleted", alias, by);
  }
  setServer(ctx, server, { revision: server.revision + gone.length, aliases });
}

/** Sets the new state, and the timer to the next expiry. */
function setServer(ctx: Context<State>, before: AliasServer, after: AliasServer): void {
  ctx.setState(after);
  const nextMs = nextExpiryMs(after);
  if (nextMs === Number.POSITIVE_INFINITY) ctx.clearTimer(EXPIRY);
  else if (!ctx.isPending(EXPIRY) || nextMs !== nextExpiryMs(before)) {
    ctx.setTimer(EXPIRY, { at: new Date(nextMs), op: "expire" });
  }
}

/** Sends the alias to the publisher of desired state, which removes it from its host after a deletion. */
function publishDesired(ctx: Context<State>, { id, serverName }: AliasEntry): void {
  ctx.emit(DESIRED_TOPIC, { kind: "alias", id, serverName } satisfies DesiredRef);
}

function recordAliasEvent(
  ctx: Context<State>,
  event_type: EventType,
  alias: AliasEntry,
  by?: string,
  data: Record<string, unknown> = {},
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: alias.id,
    user_id: alias.userId,
    project_id: alias.projectId,
    container_id: alias.containerId,
    by,
    data: { alias: alias.alias, ...data },
    audience: serverAudience(alias.subserverId ?? ctx.actorId),
  });
}

/** Independent of the order of the fields in the request. */
const fingerprintOf = (asked: AliasToCreate | AliasToPatch): string =>
  JSON.stringify(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)));

const written = (serverId: string, alias: AliasEntry) => ({
  alias: recordOf(serverId, alias),
  revision: alias.revision,
});

const recordOf = (serverId: string, alias: AliasEntry): AliasRecord => ({
  id: alias.id,
  user_id: alias.userId,
  project_id: alias.projectId,
  container_id: alias.containerId,
  alias: alias.alias,
  program: alias.program,
  index: alias.index,
  target_path: alias.targetPath,
  allow_path_override: alias.allowPathOverride,
  expires_at: alias.expiresAt?.toISOString() ?? null,
  enabled: alias.enabled,
  created_at: alias.createdAt.toISOString(),
  updated_at: alias.updatedAt.toISOString(),
  server_id: serverId,
  server_name: alias.serverName,
  subserver_name: alias.subserverName,
});
