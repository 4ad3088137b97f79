import { Elysia } from "elysia";
import { listHosts, readHost } from "../../../actors/hosting/host/queries.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  ChangeHost,
  CreateHost,
  HOSTS_PAGE,
  HostReply,
  HostsQuery,
  HostsReply,
  HostTokenReply,
  RemovedHostReply,
  RemoveHostQuery,
} from "../../../schemas/hosting/host.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { BY_NAME } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { assertUnused, endRentals, forcedRemoval } from "../../hosts/removed-rentals.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

/** Machines that run an agent, for administrators (docs/decisions/0059-joining-hosts.md). */
export const adminHostRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, enrolments, joinedHosts, newId, publicUrl, log } = context;
  const read = async (id: string) => {
    const host = await readHost(db, id);
    if (host === undefined) throw new DomainError("HOST_NOT_FOUND", "Host not found");
    return host;
  };
  /** The record with its token, where the token of this request is the one that counts. */
  const withToken = async (id: string, made: { token: string; hash: string }, counted: string) => {
    const token = made.hash === counted ? made.token : null;
    const command = token === null ? null : `npm run berth -- agent join ${publicUrl} ${token}`;
    return { ...(await read(id)), token, command };
  };

  return new Elysia({ prefix: "/api/v1/admin/hosts", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/hosts", query, HOSTS_PAGE, BY_NAME);
        const { rows: hosts, total, next } = await listHosts(db, page);
        return ok("Hosts", { hosts, total, pagination: cursorPagination(page, next) });
      },
      {
        query: HostsQuery,
        response: { 200: HostsReply },
        detail: { summary: "Machines that run an agent, by name, and how they are" },
      },
    )
    .get("/:id", async ({ params }) => ok("Host", await read(params.id)), {
      params: IdParams,
      response: { 200: HostReply, ...errors("HOST_NOT_FOUND") },
      detail: { summary: "A machine that runs an agent, and how it is" },
    })
    .post(
      "/",
      async ({ caller, body, operation, operator }) => {
        const id = actorIdFor("host", caller.userId, operation, newId);
        const made = enrolments.newToken(id);
        const { value } = await actors
          .host(id)
          .create({ name: body.name, token_hash: made.hash, operator }, operation);
        return created("Host added", await withToken(id, made, value.token_hash));
      },
      {
        body: CreateHost,
        response: { 201: HostTokenReply, ...errors("NAME_TAKEN", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Add a machine, and get the command by which it joins",
          "x-shown-once": ["token", "command"],
          description:
            "The reply has a one-time token, good for an hour, and the one command to run on the machine. The machine's containers are those of the server of the " +
            "stock with the same name.",
        },
      },
    )
    .post(
      "/:id/token",
      async ({ params, operation, operator }) => {
        await read(params.id);
        const made = enrolments.newToken(params.id);
        const { value } = await actors
          .host(params.id)
          .create_token({ token_hash: made.hash, operator }, operation);
        return created("Token created", await withToken(params.id, made, value.token_hash));
      },
      {
        params: IdParams,
        response: { 201: HostTokenReply, ...errors("HOST_NOT_FOUND") },
        detail: {
          summary: "Make another one-time token, for a machine that joins late or again",
          "x-shown-once": ["token", "command"],
          description:
            "A former token that was not used is worth nothing any more. A machine that joins again gets a new credential, and the former one ends.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ params, body, operation, operator }) => {
        await read(params.id);
        await actors.host(params.id).update({ ...body, operator }, operation);
        return ok("Host changed", await read(params.id));
      },
      {
        params: IdParams,
        body: ChangeHost,
        response: { 200: HostReply, ...errors("HOST_NOT_FOUND") },
        detail: {
          summary: "Drain a machine, or end its draining",
          description:
            "A draining machine takes no new containers and storage shares (409 HOST_DRAINING), and its server is not listed for rent. Containers that are there run on.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ params, query, operation, operator }) => {
        const host = await read(params.id);
        const isForced = query.force === "true";
        if (!isForced) await assertUnused(db, host);
        const ended_rentals = await endRentals(db, actors, host.name, operator);
        await actors
          .host(params.id)
          .remove(isForced ? { operator, forced: forcedRemoval(ended_rentals) } : { operator }, operation);
        // The record counts; a NATS that is away refuses the credential as soon as it is back.
        await enrolments
          .sync()
          .catch((error) => log.warn({ err: error }, "a removed host's credential could not be ended yet"));
        // The actor hosts try again.
        await joinedHosts
          .recordRemoved()
          .catch((error) => log.warn({ err: error }, "a removed host's server could not be withdrawn yet"));
        return ok("Host removed", { ended_rentals });
      },
      {
        params: IdParams,
        query: RemoveHostQuery,
        response: { 200: RemovedHostReply, ...errors("HOST_NOT_FOUND", "HOST_IN_USE") },
        detail: {
          summary: "Remove a machine: its credential ends at once",
          description:
            "Refused while it has containers or storage shares, or while somebody rents its server or a part of it. To empty it, drain it, so that it gets no new ones, and wait until their users have deleted them or their rentals have ended. " +
            "`force=true` removes a machine that is lost, together with the containers and files on it: its rentals end, and what was paid for the rest of their time is returned to the balances of their users (`ended_rentals`; a setup fee stays paid). The server of the stock is another record, and remains: it cannot be rented until a machine of its name joins.",
        },
      },
    );
};
