import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { DomainClaim, DomainProof } from "../../../schemas/hosting/domain.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo } from "../../runtime/transport/message.ts";
import type { aliasActor } from "../alias/index.ts";
import {
  addClaim,
  afterLook,
  type Claim,
  type DomainNameState,
  due,
  recordOf,
  waitingAfter,
} from "./rules.ts";
import { claimTable, domainNameTable } from "./table.ts";

type State = DomainNameState | null;
type Ctx = Context<State>;

const aliases = messagesTo<ReturnType<typeof aliasActor>>("alias");

const Done = Type.Object({});
const OfClaim = Strict({ id: Id });

/** A domain and the claims of accounts to it. Keyed by `idOf` the name: whether it is taken is decided in one place. */
export const domainActor = actor("domain", {
  table: domainNameTable,
  hasTasks: true,
  conflicts: quotaConflicts("domains_per_user"),
  empty: (): State => null,
  on: {
    claim: command(
      Strict({
        id: Id,
        domain: Type.String(),
        user_id: Id,
        project_id: Id,
        container_id: Id,
        alias_id: Id,
        server_id: Id,
        token: Type.String(),
      }),
      DomainClaim,
      (state: State, input, ctx: Ctx) => {
        const known = state ?? { name: input.domain, claims: new Map() };
        const claim = addClaim(
          known,
          {
            id: input.id,
            domain: input.domain,
            userId: input.user_id,
            projectId: input.project_id,
            containerId: input.container_id,
            aliasId: input.alias_id,
            serverId: input.server_id,
            token: input.token,
          },
          ctx.now,
        );
        ctx.setState({ ...known, claims: new Map(known.claims).set(claim.id, claim) });
        ctx.insert("domains", claimTable.row(ctx.actorId, claim));
        recordDomainEvent(ctx, claim, "added");
        return recordOf(claim);
      },
      { fingerprint: ({ domain, alias_id }) => JSON.stringify([domain, alias_id]) },
    ),

    /** Its user wants it checked now. */
    check: command(OfClaim, DomainClaim, (state: State, { id }, ctx: Ctx) => {
      const claim = due(requireClaim(state, id), ctx.now);
      save(ctx, state, claim);
      return recordOf(claim);
    }),

    /** What a look into DNS found. */
    record_look: command(
      Strict({ id: Id, proof: Nullable(DomainProof), error: Nullable(Type.String()) }),
      Done,
      (state: State, { id, proof, error }, ctx: Ctx) => {
        const before = requireClaim(state, id);
        const after = afterLook(
          state ?? { name: before.domain, claims: new Map() },
          before,
          { proof, error },
          ctx.now,
        );
        const isLost = before.state === "verified" && after.state !== "verified";
        save(ctx, state, after, ...(isLost ? waitingFor(state, before, ctx) : []));
        if (before.state === after.state) return {};
        if (after.state === "verified") connect(ctx, after, true);
        else if (isLost) connect(ctx, after, false);
        recordDomainEvent(ctx, after, after.state === "verified" ? "verified" : "failed");
        return {};
      },
    ),

    /** Gives the domain up. */
    remove: command(OfClaim, Done, (state: State, { id }, ctx: Ctx) => {
      const claim = requireClaim(state, id);
      const claims = new Map(state?.claims);
      claims.delete(id);
      const rest = claims.size === 0 ? null : { name: claim.domain, claims };
      ctx.setState(rest);
      ctx.remove("domains", { id });
      const [first, ...others] = waitingFor(rest, claim, ctx);
      if (first !== undefined) save(ctx, rest, first, ...others);
      if (claim.state === "verified") connect(ctx, claim, false);
      recordDomainEvent(ctx, claim, "removed");
      return {};
    }),
  },
});

function requireClaim(state: State, id: string): Claim {
  const claim = state?.claims.get(id);
  if (claim === undefined) throw new DomainError("DOMAIN_NOT_FOUND", "The alias has no such domain");
  return claim;
}

function save(ctx: Ctx, state: State, claim: Claim, ...others: readonly Claim[]): void {
  const changed = [claim, ...others];
  const claims = new Map([...(state?.claims ?? []), ...changed.map((one) => [one.id, one] as const)]);
  ctx.setState({ name: claim.domain, claims });
  for (const one of changed) ctx.update("domains", claimTable.row(ctx.actorId, one));
}

const waitingFor = (state: State, left: Claim, ctx: Ctx): Claim[] =>
  state === null ? [] : waitingAfter(state, left, ctx.now);

/** Tells the alias, whose host then routes by the domain, or does so no longer. An alias that is gone needs no telling. */
function connect(ctx: Ctx, { id, domain, aliasId, serverId }: Claim, isConnected: boolean): void {
  ctx.send(
    `${isConnected ? "connect" : "disconnect"}:${id}`,
    aliases(serverId).set_domain({ id: aliasId, domain, is_connected: isConnected }),
  );
}

function recordDomainEvent(ctx: Ctx, claim: Claim, what: "added" | "verified" | "failed" | "removed"): void {
  recordEvent(ctx, {
    event_type: "proxy_alias.updated",
    resource_id: claim.aliasId,
    user_id: claim.userId,
    project_id: claim.projectId,
    container_id: claim.containerId,
    data: { domain: claim.domain, change: `domain ${what}` },
  });
}
