import { type Static, Type } from "@sinclair/typebox";
import { ChangeMember, ChangePool, CreatePool, InviteMember } from "../../../schemas/accounts/pool.ts";
import { type Audience, poolAdminsAudience, poolAudience } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command, type Row } from "../../runtime/definition.ts";
import {
  assertInvitable,
  assertMay,
  assertSettings,
  defaultPoolId,
  type InvitationStatus,
  type Member,
  memberOf,
  type PendingInvitation,
  type Pool,
  roleIn,
} from "./rules.ts";
import { poolInvitationTable, poolMemberTable, poolTable } from "./table.ts";

type State = Pool | null;
type Ctx = Context<State>;

const Nothing = Type.Object({});
/** The caller. Each command checks the caller's role against its own state, which is current. */
const By = { by: Id };
const CreateInput = Strict({ ...By, ...CreatePool.properties });
const ChangeInput = Strict({ ...By, ...ChangePool.properties });
/** `inviter`: the inviting user's name, shown to the invited user. */
const InviteInput = Strict({
  ...By,
  inviter: Type.Optional(Type.String()),
  user_id: Id,
  role: InviteMember.properties.role,
});
const RoleInput = Strict({ ...By, user_id: Id, role: ChangeMember.properties.role });
const RemoveInput = Strict({ ...By, user_id: Id });
const RespondInput = Strict({ ...By, invitation_id: Id });

/** Pools with their members and invitations. Keyed by pool. */
export const poolActor = actor("pool", {
  table: poolTable,
  empty: (): State => null,
  conflicts: {
    ...quotaConflicts("pools_per_user", "members_per_pool", "pending_invitations_per_user"),
    ...deletedAccountConflict("USER_NOT_FOUND"),
    pools_owner_name: { code: "NAME_TAKEN", message: "you have a pool of this name" },
  },
  on: {
    create: command(CreateInput, Nothing, (pool: State, input, ctx: Ctx) => {
      if (pool !== null) throw idempotencyKeyReused();
      assertSettings(input.settings);
      const made = {
        ...newPool(input.by, input.name, ctx.now),
        description: input.description ?? "",
        settings: input.settings ?? {},
      };
      ctx.setState(made);
      recordPoolEvent(ctx, "pool.created", made, input.by, { name: made.name });
      return {};
    }),

    update: command(ChangeInput, Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      assertMay(pool, input.by, "update");
      assertSettings(input.settings);
      const changed = {
        ...pool,
        description: input.description ?? pool.description,
        settings: input.settings ?? pool.settings,
      };
      ctx.setState(changed);
      recordPoolEvent(ctx, "pool.updated", changed, input.by, {});
      return {};
    }),

    /** Deletes the pool. Its servers stay with their owner. */
    delete: command(Strict(By), Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      assertMay(pool, input.by, "delete");
      if (pool.isDefault)
        throw new DomainError("DEFAULT_POOL", "The default pool cannot be deleted, with servers or without");
      ctx.setState(null);
      for (const member of pool.members)
        ctx.remove("pool_members", { pool_id: ctx.actorId, user_id: member.userId });
      for (const invitation of pool.invitations) {
        ctx.update("pool_invitations", invitationRow(ctx, invitation, "withdrawn"));
        withdrawn(ctx, pool, invitation, input.by);
      }
      recordPoolEvent(ctx, "pool.deleted", pool, input.by, { name: pool.name }, pool.members);
      return {};
    }),

    invite: command(InviteInput, Type.Object({ invitation_id: Id }), (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      assertMay(pool, input.by, "invite");
      assertInvitable(pool, input.user_id);
      const invitation: PendingInvitation = {
        id: ctx.newId(),
        userId: input.user_id,
        role: input.role,
        invitedBy: input.by,
        createdAt: ctx.now,
      };
      ctx.setState({ ...pool, invitations: [...pool.invitations, invitation] });
      ctx.insert("pool_invitations", invitationRow(ctx, invitation, "pending"));
      recordPoolEvent(
        ctx,
        "pool.member_invited",
        pool,
        input.by,
        {
          user_id: input.user_id,
          invitation_id: invitation.id,
          role: input.role,
          ...(input.inviter === undefined ? {} : { inviter: input.inviter }),
        },
        [invitation],
      );
      return { invitation_id: invitation.id };
    }),

    accept: command(RespondInput, Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      const invitation = invitationFor(pool, input);
      const member: Member = { userId: input.by, role: invitation.role, joinedAt: ctx.now };
      ctx.setState({
        ...without(pool, invitation),
        members: [...pool.members, member],
        accessRevision: pool.accessRevision + 1,
      });
      ctx.insert("pool_members", poolMemberTable.row(ctx.actorId, member));
      ctx.update("pool_invitations", invitationRow(ctx, invitation, "accepted"));
      recordPoolEvent(ctx, "pool.member_joined", pool, input.by, {
        user_id: input.by,
        role: invitation.role,
      });
      return {};
    }),

    reject: command(RespondInput, Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      const invitation = invitationFor(pool, input);
      ctx.setState(without(pool, invitation));
      ctx.update("pool_invitations", invitationRow(ctx, invitation, "rejected"));
      recordPoolEvent(ctx, "pool.member_declined", pool, input.by, { user_id: input.by });
      return {};
    }),

    change_role: command(RoleInput, Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      assertMay(pool, input.by, "change_role");
      const member: Member = { ...memberOf(pool, input.user_id), role: input.role };
      ctx.setState({
        ...pool,
        members: pool.members.map((each) => (each.userId === member.userId ? member : each)),
      });
      ctx.update("pool_members", poolMemberTable.row(ctx.actorId, member));
      recordPoolEvent(
        ctx,
        "pool.member_role_changed",
        pool,
        input.by,
        { user_id: member.userId, role: member.role },
        [member],
      );
      return {};
    }),

    /** Removes a member, or withdraws a pending invitation. Members may leave by themselves. */
    remove_member: command(RemoveInput, Nothing, (state: State, input, ctx: Ctx) => {
      const pool = requirePool(state);
      const isSelf = input.by === input.user_id && roleIn(pool, input.by) !== undefined;
      if (!isSelf) assertMay(pool, input.by, "remove_member");
      const invitation = pool.invitations.find(({ userId }) => userId === input.user_id);
      if (invitation !== undefined) {
        ctx.setState(without(pool, invitation));
        ctx.update("pool_invitations", invitationRow(ctx, invitation, "withdrawn"));
        withdrawn(ctx, pool, invitation, input.by);
        return {};
      }
      const member = memberOf(pool, input.user_id);
      ctx.setState({
        ...pool,
        members: pool.members.filter(({ userId }) => userId !== member.userId),
        accessRevision: pool.accessRevision + 1,
      });
      ctx.remove("pool_members", { pool_id: ctx.actorId, user_id: member.userId });
      recordPoolEvent(ctx, "pool.member_removed", pool, input.by, { user_id: member.userId }, [member]);
      return {};
    }),
  },
});

/** The row of a new user's default pool. It is written in the commit of the sign-up. */
export const defaultPoolRow = (userId: string, now: Date): Row => ({
  ...poolTable.row(defaultPoolId(userId), { ...newPool(userId, "Default", now), isDefault: true }, now),
  version: 1,
});

const newPool = (ownerId: string, name: string, now: Date): Pool => ({
  ownerId,
  name,
  description: "",
  settings: {},
  isDefault: false,
  accessRevision: 1,
  members: [],
  invitations: [],
  createdAt: now,
});

const without = (pool: Pool, invitation: PendingInvitation): Pool => ({
  ...pool,
  invitations: pool.invitations.filter(({ id }) => id !== invitation.id),
});

function requirePool(pool: State): Pool {
  if (pool === null) throw new DomainError("POOL_NOT_FOUND", "Pool not found");
  return pool;
}

/** @throws INVITATION_NOT_FOUND, also for an invitation of another user */
function invitationFor(pool: Pool, { by, invitation_id }: Static<typeof RespondInput>): PendingInvitation {
  const invitation = pool.invitations.find(({ id, userId }) => id === invitation_id && userId === by);
  if (invitation === undefined) throw new DomainError("INVITATION_NOT_FOUND", "Invitation not found");
  return invitation;
}

/** Records that a pending invitation was withdrawn. */
function withdrawn(ctx: Ctx, pool: Pool, invitation: PendingInvitation, by: string): void {
  const data = { user_id: invitation.userId, invitation_id: invitation.id };
  recordPoolEvent(ctx, "pool.member_removed", pool, by, data, [invitation]);
}

/**
 * A change of a pool is in the log of its owner, of who changed it, and of those whom it concerns
 * (docs/decisions/0038-events-of-nobody.md).
 */
function recordPoolEvent(
  ctx: Ctx,
  event_type: EventType,
  pool: Pool,
  by: string,
  data: Record<string, unknown>,
  concerned: readonly { readonly userId: string }[] = [],
): void {
  for (const userId of new Set([pool.ownerId, by, ...concerned.map((each) => each.userId)]))
    recordEvent(ctx, {
      event_type,
      resource_id: ctx.actorId,
      user_id: userId,
      by,
      data: { pool: pool.name, ...data },
      audience: userId === pool.ownerId ? audienceOf(ctx.actorId, event_type, data) : undefined,
    });
}

/** Members read the owner's event of a change. Of invitations, and what became of them, admins alone. */
const audienceOf = (poolId: string, event_type: EventType, data: Record<string, unknown>): Audience =>
  "invitation_id" in data || event_type === "pool.member_declined"
    ? poolAdminsAudience(poolId)
    : poolAudience(poolId);

const invitationRow = (ctx: Ctx, invitation: PendingInvitation, status: InvitationStatus): Row =>
  poolInvitationTable.row(ctx.actorId, invitation, { status, updatedAt: ctx.now });
