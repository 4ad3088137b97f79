import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listOffers, readOffer } from "../../../actors/market/offer/queries.ts";
import { listUndelivered, readReservation } from "../../../actors/market/reservation/queries.ts";
import {
  hasSubservers,
  listStock,
  readHostPlacement,
  readStock,
} from "../../../actors/market/server/queries.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, type ErrorCode, ValidationError } from "../../../schemas/errors.ts";
import { hostDraining } from "../../../schemas/hosting/host.ts";
import {
  ChangeOffer,
  CreateOffer,
  OFFERS_SORT,
  OfferReply,
  OffersQuery,
  OffersReply,
  ReservationReply,
  ReservationsReply,
  UNDELIVERED_SORT,
} from "../../../schemas/market/offer.ts";
import {
  type AddServer,
  ChangeServer,
  CreateServer,
  hostNotJoined,
  ServerStatus,
  type StockServer,
  StockServerReply,
  StockServersReply,
} from "../../../schemas/market/server.ts";
import { LIST_PAGE, offsetQuery, searchQuery } from "../../../schemas/paging.ts";
import { Id, IdParams, Strict } from "../../../schemas/primitives.ts";
import { BY_NAME } from "../../../schemas/sorting.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, okList } from "../../http/paging.ts";
import { lacksOf, smallerThanOrdered } from "./smaller-server.ts";

const ADMIN_PAGE = { standard: 50, max: 500 };
const UndeliveredQuery = Strict(offsetQuery(ADMIN_PAGE, UNDELIVERED_SORT));
const StockQuery = Strict({
  ...offsetQuery(ADMIN_PAGE, BY_NAME),
  ...searchQuery(),
  user_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: "who rents it" })),
  status: Type.Optional(ServerStatus),
});

/** The operator's stock: servers, offers, and reservations to be delivered (design §3 "Operator's surface"). */
export const adminStockRoutes = (context: GatewayContext) => [
  servers(context),
  offers(context),
  reservations(context),
];

const servers = ({ db, actors, credentials, newId, joinedHosts }: GatewayContext) => {
  const read = async (id: string) => found(await readStock(db, id), "SERVER_NOT_FOUND", "Server not found");
  /** The physical server of a subserver. @throws ValidationError */
  const parentOf = async ({ parent_id, kind = "dedicated" }: AddServer) => {
    if (parent_id === undefined || parent_id === null) return undefined;
    if (kind !== "dedicated") throw new ValidationError("body.kind", "of a subserver is `dedicated`");
    const parent = await readStock(db, parent_id);
    if (parent?.kind !== "shared" || parent.status === "retired")
      throw new ValidationError("body.parent_id", "must be the id of a server of the kind `shared`");
    return parent;
  };
  return new Elysia({ prefix: "/api/v1/admin/servers", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/servers", query, ADMIN_PAGE, BY_NAME);
        const { rows: servers, total, next } = await listStock(db, query, page);
        return ok("Servers", { servers, total, pagination: cursorPagination(page, next) });
      },
      {
        query: StockQuery,
        response: { 200: StockServersReply },
        detail: {
          summary: "List all servers, by name",
          description:
            "With who rents each and until when (`renter`). Narrowed by `search`, `status` and `user_id`.",
        },
      },
    )
    .post(
      "/",
      async ({ caller, body, operation, operator }) => {
        const id = actorIdFor("server", caller.userId, operation, newId);
        const { idempotency_key: _, ...server } = body;
        const parent = await parentOf(server);
        await actors.server(id).create({ ...server, operator }, operation);
        // Its agent may have been started before.
        if (parent !== undefined && parent.host_joined_at !== null) await actors.server(id).join({});
        else await joinedHosts.probe(parent?.name ?? server.name);
        return created("Server added", await read(id));
      },
      {
        body: CreateServer,
        response: { 201: StockServerReply, ...errors("NAME_TAKEN", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Add a server to the stock",
          description:
            "It can be rented once its agent has connected (`host_joined_at`), or at once with `delivered_by_hand`. Servers of the kinds " +
            "`shared` and `system` are for nobody to rent as a whole, neither by the list nor by a reservation. " +
            "With `parent_id` it is a subserver: a part of a shared server, which is rented by itself and whose containers run on that server's host.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ params, body, operation, operator }) => {
        await read(params.id);
        await actors.server(params.id).update({ ...body, operator }, operation);
        return ok("Server changed", await read(params.id));
      },
      {
        params: IdParams,
        body: ChangeServer,
        response: { 200: StockServerReply, ...errors("SERVER_NOT_FOUND") },
        detail: {
          summary: "Change a server's specifications or prices",
          description:
            "Active rentals keep the prices that were fixed at their beginning as the maximum for renewals.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ params, operation, operator }) => {
        await read(params.id);
        if (await hasSubservers(db, params.id))
          throw new DomainError("SERVER_IN_USE", "The server has subservers: remove them first");
        await actors.server(params.id).delete({ operator }, operation);
        return done("Server removed");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("SERVER_NOT_FOUND", "SERVER_IN_USE") },
        detail: { summary: "Take a server out of the stock for good" },
      },
    );
};

const offers = ({ db, actors, credentials, newId }: GatewayContext) => {
  const read = async (id: string) => found(await readOffer(db, id), "OFFER_NOT_FOUND", "Offer not found");
  return new Elysia({ prefix: "/api/v1/admin/offers", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/offers", query, LIST_PAGE, OFFERS_SORT);
        return okList("Offers", page, await listOffers(db, "all", page));
      },
      {
        query: OffersQuery,
        response: { 200: OffersReply },
        detail: { summary: "List all offers, including withdrawn ones" },
      },
    )
    .post(
      "/",
      async ({ caller, body, operation, operator }) => {
        const id = actorIdFor("offer", caller.userId, operation, newId);
        const { idempotency_key: _, ...offer } = body;
        await actors.offer(id).create({ ...offer, operator }, operation);
        return created("Offer added", await read(id));
      },
      {
        body: CreateOffer,
        response: { 201: OfferReply, ...errors("IDEMPOTENCY_KEY_REUSED") },
        detail: { summary: "Add an offer" },
      },
    )
    .patch(
      "/:id",
      async ({ params, body, operation, operator }) => {
        await read(params.id);
        await actors.offer(params.id).update({ ...body, operator }, operation);
        return ok("Offer changed", await read(params.id));
      },
      {
        params: IdParams,
        body: ChangeOffer,
        response: { 200: OfferReply, ...errors("OFFER_NOT_FOUND") },
        detail: { summary: "Change an offer; existing reservations keep their price" },
      },
    )
    .delete(
      "/:id",
      async ({ params, operation, operator }) => {
        await read(params.id);
        await actors.offer(params.id).withdraw({ operator }, operation);
        return done("Offer withdrawn");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("OFFER_NOT_FOUND") },
        detail: { summary: "Withdraw an offer: nobody can order it any more" },
      },
    );
};

const reservations = ({ db, actors, credentials, joinedHosts }: GatewayContext) => {
  const assertJoined = async ({ id, name }: StockServer) => {
    await joinedHosts.probe((await readHostPlacement(db, id))?.server_name ?? name);
    if ((await readStock(db, id))?.host_joined_at === null) throw hostNotJoined();
  };
  const read = async (id: string) =>
    found(await readReservation(db, id, null), "RESERVATION_NOT_FOUND", "Reservation not found");
  return new Elysia({ prefix: "/api/v1/admin/reservations", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/reservations", query, ADMIN_PAGE, UNDELIVERED_SORT);
        const { rows: reservations, total, next } = await listUndelivered(db, page);
        const { limit, offset } = page;
        return ok("Reservations", {
          reservations,
          total,
          limit,
          offset,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: UndeliveredQuery,
        response: { 200: ReservationsReply },
        detail: { summary: "Reservations that are paid and not delivered, the most urgent first" },
      },
    )
    .post(
      "/:id/deliver",
      async ({ params, body, operation, operator }) => {
        const { offer_id } = await read(params.id);
        const server = found(await readStock(db, body.server_id), "SERVER_NOT_FOUND", "Server not found");
        // Its days begin with the delivery, so containers must be able to run there.
        if (server.host_joined_at === null && server.kind === "dedicated") await assertJoined(server);
        if (server.host_draining) throw hostDraining();
        const lacks = lacksOf(server.specs, (await readOffer(db, offer_id))?.specs ?? {});
        if (lacks.length > 0 && body.accept_smaller !== true) throw smallerThanOrdered(lacks);
        await actors
          .reservation(params.id)
          .deliver({ server_id: body.server_id, smaller: lacks.length > 0, operator }, operation);
        return ok("Reservation delivered", await read(params.id));
      },
      {
        params: IdParams,
        body: Strict({
          server_id: Id,
          accept_smaller: Type.Optional(
            Type.Boolean({
              description: "true: deliver the server although it is smaller than what was paid for",
            }),
          ),
        }),
        response: {
          200: ReservationReply,
          ...errors(
            "RESERVATION_NOT_FOUND",
            "RESERVATION_STATE_CONFLICT",
            "SERVER_NOT_FOUND",
            "SERVER_NOT_AVAILABLE",
            "HOST_NOT_JOINED",
            "HOST_DRAINING",
            "SERVER_SMALLER_THAN_ORDERED",
          ),
        },
        detail: {
          summary: "Deliver a reservation: a server of the stock becomes its rental",
          description:
            "The days that were paid for begin at once, so the server's host must have joined (else HOST_NOT_JOINED) and not be drained (HOST_DRAINING). " +
            "A server of the kind `shared` or `system` is refused, since others' programs run there. The server may be another than " +
            "the offer describes. One that has fewer cores, less memory or less disk than the offer states, or does not state its own, " +
            "is refused (SERVER_SMALLER_THAN_ORDERED) unless `accept_smaller` says that this is meant.",
        },
      },
    )
    .post(
      "/:id/cancel",
      async ({ params, operation, operator }) => {
        await read(params.id);
        await actors.reservation(params.id).cancel({ operator }, operation);
        return ok("Reservation cancelled", await read(params.id));
      },
      {
        params: IdParams,
        response: {
          200: ReservationReply,
          ...errors("RESERVATION_NOT_FOUND", "RESERVATION_STATE_CONFLICT"),
        },
        detail: { summary: "Cancel a reservation that cannot be delivered, and give back what was paid" },
      },
    );
};

function found<T>(record: T | undefined, code: ErrorCode, message: string): T {
  if (record === undefined) throw new DomainError(code, message);
  return record;
}
