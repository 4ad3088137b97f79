import { Elysia } from "elysia";
import { listContainerIds } from "../../../actors/hosting/container/queries.ts";
import { isHostDraining } from "../../../actors/hosting/host/queries.ts";
import { listRentals, readRental } from "../../../actors/market/rental/queries.ts";
import { hasSubservers, readHostPlacement, readStock } from "../../../actors/market/server/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { hostDraining } from "../../../schemas/hosting/host.ts";
import { MetricsQuery, RentalMetricsReply } from "../../../schemas/hosting/metrics.ts";
import { RuntimeReply } from "../../../schemas/hosting/usage.ts";
import {
  AutoExtend,
  ChargedRentalReply,
  EndRental,
  Extend,
  RENTALS_SORT,
  Rent,
  type Rental,
  RentalReply,
  RentalsQuery,
  RentalsReply,
} from "../../../schemas/market/rental.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { RENTAL_ACTS, type RentalAct } from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { firstParty, signedIn } from "../../auth/guards.ts";
import { ownedPool } from "../../auth/owned-pool.ts";
import type { GatewayContext } from "../../context.ts";
import { readPaidFor } from "../../hosts/removed-rentals.ts";
import { subserverUsage } from "../../hosts/subserver-usage.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { metricsRange, rangeReply } from "../../http/metrics-range.ts";
import { listPage, okList, ownList } from "../../http/paging.ts";
import { assertRole } from "../hosting/container.ts";

/** The caller's rentals, under both of their names, and renting (spec, control plane §4.3). */
export const rentalRoutes = (context: GatewayContext) => [
  under("/api/v1/rentals", context),
  under("/api/v1/servers", context).use(rent(context)),
];

const under = (prefix: string, context: GatewayContext) =>
  new Elysia({ prefix, detail: { tags: ["Rentals"] } })
    .use(reading(context))
    .use(runtime(context))
    .use(metrics(context))
    .use(extend(context))
    .use(autoExtension(context))
    .use(end(context));

const reading = (context: GatewayContext) =>
  new Elysia()
    .use(signedIn(context.credentials, "resources.read"))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("rentals", caller), query, LIST_PAGE, RENTALS_SORT);
        return okList("Rentals", page, await listRentals(context.db, caller.userId, page));
      },
      {
        query: RentalsQuery,
        response: { 200: RentalsReply },
        detail: { summary: "List the servers that you rent, oldest first" },
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ok("Rental", await reachableRental(context, caller, "read", params.id)),
      {
        params: IdParams,
        response: { 200: RentalReply, ...errors("RENTAL_NOT_FOUND") },
        detail: { summary: "A rental" },
      },
    );

/** Live readings are for account logins only (spec, control plane §5.3). */
const runtime = (context: GatewayContext) =>
  new Elysia().use(firstParty(context.credentials)).get(
    "/:id/runtime",
    async ({ caller, params }) => {
      const { host, server, containers } = await measuredServer(context, caller, params.id);
      const of = { rental_id: params.id, server_id: server.id, server_name: server.name };
      const usage = await context.liveUsage(host);
      if (containers === null) return ok("Runtime", { scope: "physical" as const, ...of, ...usage });
      const share = subserverUsage(usage, server.specs, new Set(containers));
      return ok("Runtime", { scope: "subserver" as const, ...of, ...share });
    },
    {
      params: IdParams,
      response: {
        200: RuntimeReply,
        ...errors("RENTAL_NOT_FOUND", "RENTAL_ENDED", "SHARED_HOST", "HOST_SILENT"),
      },
      detail: {
        summary: "The present use of a server: CPU, memory, disk",
        description:
          "Read from the server's host and kept for 2 seconds, so that it may be polled. `scope` is `physical` for a server, and `subserver` for a part of " +
          "one: the sum of its containers, and the totals of its specifications. A physical server with subservers, and a shared or system " +
          "host, is refused (SHARED_HOST). For account logins alone.",
      },
    },
  );

/** For account logins only, like the live readings, of which the newest are a part. */
const metrics = (context: GatewayContext) =>
  new Elysia().use(firstParty(context.credentials)).get(
    "/:id/metrics",
    async ({ caller, params, query }) => {
      const { host, server, containers } = await measuredServer(context, caller, params.id);
      const range = metricsRange(query);
      return ok("Metrics", {
        scope: containers === null ? ("physical" as const) : ("subserver" as const),
        rental_id: params.id,
        server_id: server.id,
        server_name: server.name,
        ...rangeReply(range),
        series: await context.readMetrics(host, { ...range, container_ids: containers }),
      });
    },
    {
      params: IdParams,
      query: MetricsQuery,
      response: {
        200: RentalMetricsReply,
        ...errors("RENTAL_NOT_FOUND", "RENTAL_ENDED", "SHARED_HOST", "HOST_SILENT"),
      },
      detail: {
        summary: "What a server has used over time: CPU, memory, disk, network",
        description:
          "As its host has measured it: every 10 seconds for a day, and means of 5 minutes for a month. `scope` is as for the present use. " +
          "The network is that of the interfaces with a default route. For account logins alone.",
      },
    },
  );

/**
 * A rented server whose use is one tenant's, with the name of its host; `containers` of a subserver, null for a whole server.
 * @throws RENTAL_NOT_FOUND, RENTAL_ENDED, SHARED_HOST
 */
async function measuredServer(context: GatewayContext, caller: Caller, rentalId: string) {
  const { status, server_id, server_name } = await reachableRental(context, caller, "read", rentalId);
  if (status === "ended") throw new DomainError("RENTAL_ENDED", "The rental has ended");
  const stock = await readStock(context.db, server_id);
  if (stock?.kind !== "dedicated" || (await hasSubservers(context.db, server_id)))
    throw new DomainError(
      "SHARED_HOST",
      "The host of this server is shared: its readings are not one tenant's",
    );
  const server = { id: server_id, name: server_name, specs: stock.specs };
  if (stock.parent_id === null) return { host: server_name, server, containers: null };
  const [host, containers] = await Promise.all([
    readHostPlacement(context.db, server_id),
    listContainerIds(context.db, server_id),
  ]);
  return { host: host?.server_name ?? server_name, server, containers };
}

const extend = (context: GatewayContext) =>
  new Elysia().use(signedIn(context.credentials, "wallet.spend")).post(
    "/:id/extend",
    async ({ caller, params, body, operation }) => {
      await reachableRental(context, caller, "extend", params.id);
      assertTime(body.expected_rental_end);
      const { value } = await context.actors.rental(params.id).extend(body, operation);
      return ok("Rental extended", {
        ...(await reachableRental(context, caller, "read", params.id)),
        ...value,
      });
    },
    {
      params: IdParams,
      body: Extend,
      response: {
        200: ChargedRentalReply,
        ...errors(
          "RENTAL_NOT_FOUND",
          "EXTENSION_ALREADY_APPLIED",
          "CHARGE_CONFIRMATION_REQUIRED",
          "CHARGE_EXCEEDS_MAX",
          "RENTAL_ENDED",
          "INSUFFICIENT_BALANCE",
        ),
      },
      detail: {
        summary: "Move the end of a rental",
        description:
          "An extension costs the present price for the chosen number of days, and never more than `renewal_prices`, which were fixed when the rental " +
          "began. A rental without such a price needs `max_charge_cents`. Read the rental again before a retry: an extension " +
          "applies once to the `rental_end` for which it was requested.",
      },
    },
  );

/** Only its owner switches it, as only its owner extends. */
const autoExtension = (context: GatewayContext) =>
  new Elysia()
    .use(signedIn(context.credentials, "wallet.spend"))
    .put(
      "/:id/auto-extension",
      async ({ caller, params, body }) => {
        await reachableRental(context, caller, "extend", params.id);
        await context.actors.rental(params.id).set_auto_extension({ ...body, by: caller.userId });
        return ok("The rental extends itself", await reachableRental(context, caller, "read", params.id));
      },
      {
        params: IdParams,
        body: AutoExtend,
        response: {
          200: RentalReply,
          ...errors("RENTAL_NOT_FOUND", "CHARGE_EXCEEDS_MAX", "RENTAL_ENDED"),
        },
        detail: {
          summary: "Let a rental extend itself",
          description:
            "A day before its end (for lengths of less than four days, in the last quarter of such a time) the rental is extended by `additional_days` and your balance is charged: the " +
            "present price, never more than `renewal_prices`, and never more than `max_charge_cents`. If the time for that has come, it is done at once. " +
            "What fails, for lack of money or since the price is above `max_charge_cents`, is tried again until the end, and `last_failure` and a notice say why. " +
            "It applies to every further end until it is switched off, the rental ends, or your account is suspended.",
          "x-idempotency-key": false,
        },
      },
    )
    .delete(
      "/:id/auto-extension",
      async ({ caller, params }) => {
        await reachableRental(context, caller, "extend", params.id);
        await context.actors.rental(params.id).clear_auto_extension({ by: caller.userId });
        return ok(
          "The rental extends itself no longer",
          await reachableRental(context, caller, "read", params.id),
        );
      },
      {
        params: IdParams,
        response: { 200: RentalReply, ...errors("RENTAL_NOT_FOUND") },
        detail: {
          summary: "Let a rental extend itself no longer",
          description:
            "The rental then ends at `rental_end`. An extension that is being paid for at this moment goes on.",
          "x-idempotency-key": false,
        },
      },
    );

const end = (context: GatewayContext) =>
  new Elysia().use(signedIn(context.credentials, "wallet.spend")).post(
    "/:id/end",
    async ({ caller, params, body, operation }) => {
      const rental = await reachableRental(context, caller, "end", params.id);
      assertTime(body.expected_rental_end);
      const paid = rental.awaits_delivery ? await readPaidFor(context.db, rental) : undefined;
      const request = { ...body, by: caller.userId, ...(paid && { undelivered: paid }) };
      await context.actors.rental(params.id).end(request, operation);
      return ok("Rental ended", await reachableRental(context, caller, "read", params.id));
    },
    {
      params: IdParams,
      body: EndRental,
      response: {
        200: RentalReply,
        ...errors("RENTAL_NOT_FOUND", "EXTENSION_ALREADY_APPLIED", "RENTAL_ENDED", "IDEMPOTENCY_KEY_REUSED"),
      },
      detail: {
        summary: "Give a rental up before its end",
        description:
          "It ends at once. Of a server that was never delivered (`awaits_delivery`) everything that was paid returns to your balance, with the setup fee; otherwise nothing is refunded. What runs on the server is stopped; its containers and storage shares are deleted after the operator's time of grace, as at any end. This cannot be undone. " +
          "`expected_rental_end` is the `rental_end` that you read: after an extension or a delivery in between the request is refused (EXTENSION_ALREADY_APPLIED).",
      },
    },
  );

const rent = (context: GatewayContext) => {
  const { db, actors, credentials, newId, joinedHosts } = context;
  return new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/:id/rent",
    async ({ caller, params, body, operation }) => {
      const rentalId = actorIdFor("rental", caller.userId, operation, newId);
      // A repeated key is recognized before any other check.
      const made = await readRental(db, caller.userId, rentalId);
      if (made !== undefined && made.rental.server_id !== params.id)
        throw new DomainError("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another server");
      const poolId =
        made === undefined ? await ownedPool(context, caller, body.pool_id) : made.rental.pool_id;
      const server = await readStock(db, params.id);
      if (server === undefined) throw new DomainError("SERVER_NOT_FOUND", "Server not found");
      const hostName = (await readHostPlacement(db, params.id))?.server_name ?? server.name;
      if (server.host_joined_at === null && !server.delivered_by_hand) await joinedHosts.probe(hostName);
      if (made === undefined && (await isHostDraining(db, hostName))) throw hostDraining();
      const { value } = await actors
        .server(params.id)
        .rent(
          { ...body, pool_id: poolId, rental_id: rentalId, user_id: caller.userId },
          operation.scopedTo(caller.userId),
        );
      return created("Server rented", {
        ...(await reachableRental(context, caller, "read", rentalId)),
        ...value,
      });
    },
    {
      params: IdParams,
      body: Rent,
      response: {
        201: ChargedRentalReply,
        ...errors(
          "SERVER_NOT_FOUND",
          "SERVER_NOT_AVAILABLE",
          "HOST_NOT_JOINED",
          "HOST_DRAINING",
          "POOL_NOT_FOUND",
          "CHARGE_CONFIRMATION_REQUIRED",
          "SETUP_FEE_CONFIRMATION_REQUIRED",
          "CHARGE_EXCEEDS_MAX",
          "INSUFFICIENT_BALANCE",
          "IDEMPOTENCY_KEY_REUSED",
        ),
      },
      detail: {
        summary: "Rent a server of the stock",
        description:
          "`max_charge_cents` is the most that may be charged: `pricing.price_tiers[rental_days].total_first_payment` of the list. " +
          "A lower present price is charged as it is; a higher one is refused with `total_cents`. After INSUFFICIENT_BALANCE take a new key. " +
          "A server whose host has never joined cannot be rented (HOST_NOT_JOINED), unless it is delivered by hand (`delivered_by_hand` of the list): " +
          "such a server is paid for at once, and takes containers only after an operator has started its agent, which is when the paid time begins (`awaits_delivery`).",
      },
    },
  );
};

/**
 * The rental of this id, if the caller may do this with it.
 * @throws RENTAL_NOT_FOUND, also for a rental of somebody else; INSUFFICIENT_PERMISSIONS for a member of its pool without the role
 */
async function reachableRental(
  { db }: Pick<GatewayContext, "db">,
  caller: Pick<Caller, "userId">,
  act: RentalAct,
  id: string,
): Promise<Rental> {
  const reached = await readRental(db, caller.userId, id);
  if (reached === undefined) throw new DomainError("RENTAL_NOT_FOUND", "Rental not found");
  assertRole(reached.role, RENTAL_ACTS[act]);
  return reached.rental;
}

/** @throws ValidationError */
function assertTime(expectedEnd: string): void {
  if (Number.isNaN(new Date(expectedEnd).getTime()))
    throw new ValidationError("body.expected_rental_end", "must be a time as `rental_end` shows it");
}
