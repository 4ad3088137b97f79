import { Elysia } from "elysia";
import { findUser } from "../../../actors/accounts/account/queries.ts";
import {
  listInvitations,
  listPools,
  readInvitation,
  readInvitationOf,
  readPool,
} from "../../../actors/accounts/pool/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  ChangeMember,
  ChangePool,
  CreatePool,
  InvitationReply,
  InvitationsQuery,
  InvitationsReply,
  InviteMember,
  MemberReply,
  POOLS_SORT,
  type PoolDetail,
  PoolReply,
  PoolsQuery,
  PoolsReply,
} from "../../../schemas/accounts/pool.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { Id, IdParams, Strict } from "../../../schemas/primitives.ts";
import { OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { listPage, okList, ownList } from "../../http/paging.ts";

const MemberParams = Strict({ id: Id, userId: Id });

/** Pools that the caller owns or has joined (spec, control plane §4.4). Their actors check the caller's role. */
export const poolRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, newId } = context;
  const seen = async ({ userId }: Caller, id: string): Promise<PoolDetail> => {
    const pool = await readPool(db, userId, id);
    if (pool === undefined) throw new DomainError("POOL_NOT_FOUND", "Pool not found");
    return pool;
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read"))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("pools", caller), query, LIST_PAGE, POOLS_SORT);
        return okList("Pools", page, await listPools(db, caller.userId, page));
      },
      {
        query: PoolsQuery,
        response: { 200: PoolsReply },
        detail: { summary: "List the pools that you own or have joined, your default pool first" },
      },
    )
    .get(
      "/invitations/pending",
      async ({ caller, query }) => {
        const page = listPage(ownList("invitations", caller), query, LIST_PAGE, OLDEST_FIRST);
        return okList("Invitations", page, await listInvitations(db, caller.userId, page));
      },
      {
        query: InvitationsQuery,
        response: { 200: InvitationsReply },
        detail: { summary: "List the invitations that wait for your answer, oldest first" },
      },
    )
    .get("/:id", async ({ caller, params }) => ok("Pool", await seen(caller, params.id)), {
      params: IdParams,
      response: { 200: PoolReply, ...errors("POOL_NOT_FOUND") },
      detail: { summary: "A pool with its members and servers" },
    });

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write"))
    .post(
      "/",
      async ({ caller, body, operation }) => {
        const id = actorIdFor("pool", caller.userId, operation, newId);
        await actors.pool(id).create({ by: caller.userId, ...body }, operation.scopedTo(caller.userId));
        return created("Pool created", await seen(caller, id));
      },
      {
        body: CreatePool,
        response: { 201: PoolReply, ...errors("NAME_TAKEN", "QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED") },
        detail: { summary: "Create a pool" },
      },
    )
    .put(
      "/:id",
      async ({ caller, params, body, operation }) => {
        await seen(caller, params.id);
        await actors
          .pool(params.id)
          .update({ by: caller.userId, ...body }, operation.scopedTo(caller.userId));
        return ok("Pool changed", await seen(caller, params.id));
      },
      {
        params: IdParams,
        body: ChangePool,
        response: { 200: PoolReply, ...errors("POOL_NOT_FOUND") },
        detail: { summary: "Change a pool's description or settings; for its owner" },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const { role, server_count, is_default } = await seen(caller, params.id);
        // The default pool stays, with servers or without.
        if (role === "owner" && server_count > 0 && !is_default)
          throw new DomainError(
            "POOL_NOT_EMPTY",
            "The pool has servers: it can be deleted after their rentals have ended",
          );
        await actors.pool(params.id).delete({ by: caller.userId }, operation.scopedTo(caller.userId));
        return done("Pool deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("POOL_NOT_FOUND", "DEFAULT_POOL", "POOL_NOT_EMPTY") },
        detail: { summary: "Delete a pool without servers; for its owner. The default pool stays" },
      },
    )
    .post(
      "/:id/members",
      async ({ caller, params, body, operation }) => {
        const pool = await seen(caller, params.id);
        // Only callers who may invite learn whether a user name exists.
        if (pool.role === "user")
          throw new DomainError("INSUFFICIENT_PERMISSIONS", "Only the pool's owner or an admin may invite");
        const user = await findUser(db, body.username);
        if (user === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
        const { value } = await actors
          .pool(params.id)
          .invite(
            { by: caller.userId, inviter: caller.username, user_id: user.id, role: body.role },
            operation.scopedTo(caller.userId),
          );
        const invitation = await readInvitationOf(db, params.id, value.invitation_id);
        if (invitation === undefined) throw new DomainError("INVITATION_NOT_FOUND", "Invitation not found");
        return created("Member invited", invitation);
      },
      {
        params: IdParams,
        body: InviteMember,
        response: {
          201: InvitationReply,
          ...errors(
            "POOL_NOT_FOUND",
            "USER_NOT_FOUND",
            "ALREADY_MEMBER",
            "ALREADY_INVITED",
            "QUOTA_EXCEEDED",
          ),
        },
        detail: { summary: "Invite a user; they become a member when they accept" },
      },
    )
    .put(
      "/:id/members/:userId",
      async ({ caller, params, body, operation }) => {
        await seen(caller, params.id);
        await actors
          .pool(params.id)
          .change_role(
            { by: caller.userId, user_id: params.userId, role: body.role },
            operation.scopedTo(caller.userId),
          );
        const { members } = await seen(caller, params.id);
        const member = members.find(({ user_id }) => user_id === params.userId);
        if (member === undefined) throw new DomainError("MEMBER_NOT_FOUND", "Member not found");
        return ok("Role changed", member);
      },
      {
        params: MemberParams,
        body: ChangeMember,
        response: { 200: MemberReply, ...errors("POOL_NOT_FOUND", "MEMBER_NOT_FOUND", "POOL_OWNER") },
        detail: { summary: "Change a member's role; for the owner" },
      },
    )
    .delete(
      "/:id/members/:userId",
      async ({ caller, params, operation }) => {
        await seen(caller, params.id);
        await actors
          .pool(params.id)
          .remove_member({ by: caller.userId, user_id: params.userId }, operation.scopedTo(caller.userId));
        return done("Member removed");
      },
      {
        params: MemberParams,
        response: { 200: EmptyReply, ...errors("POOL_NOT_FOUND", "MEMBER_NOT_FOUND", "POOL_OWNER") },
        detail: {
          summary:
            "Remove a member, or withdraw an invitation; for the owner and admins. Members may leave by themselves",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/pools", detail: { tags: ["Pools"] } })
    .use(reading)
    .use(writing)
    .use(respondToInvitation(context, "accept", "Invitation accepted"))
    .use(respondToInvitation(context, "reject", "Invitation rejected"));
};

/** Accepts or rejects an invitation. Only the invited user sees it. */
const respondToInvitation = (
  { db, actors, credentials }: GatewayContext,
  how: "accept" | "reject",
  message: string,
) =>
  new Elysia().use(signedIn(credentials, "resources.write")).post(
    `/:id/${how}`,
    async ({ caller, params, operation }) => {
      const invitation = await readInvitation(db, caller.userId, params.id);
      if (invitation === undefined) throw new DomainError("INVITATION_NOT_FOUND", "Invitation not found");
      await actors
        .pool(invitation.pool_id)
        [how]({ by: caller.userId, invitation_id: params.id }, operation.scopedTo(caller.userId));
      return ok(message, (await readInvitation(db, caller.userId, params.id)) ?? invitation);
    },
    {
      params: IdParams,
      response: { 200: InvitationReply, ...errors("INVITATION_NOT_FOUND") },
      detail: { summary: `${how === "accept" ? "Accept" : "Reject"} an invitation, by its id` },
    },
  );
