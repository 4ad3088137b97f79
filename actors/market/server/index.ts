import { type Static, Type } from "@sinclair/typebox";
import type { Operator } from "../../../schemas/accounts/audit.ts";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { Charged, HandedOver, Rent } from "../../../schemas/market/rental.ts";
import { AddServer, Cents, ChangeServer, Prices } from "../../../schemas/market/server.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import {
  abandonCharge,
  beginCharge,
  endCharge,
  PaymentTimedOut,
  paymentTimedOut,
  refundCharge,
} from "../../platform/charge-saga.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import { assertDays, daysText } from "../prices.ts";
import type { rentalActor } from "../rental/index.ts";
import { preparedCommands } from "./prepared.ts";
import { assertDeliverable, assertUnprepared, changeSpecs, firstPayment, type Server } from "./rules.ts";
import { serverTable } from "./table.ts";

type State = Server | null;
type Ctx = Context<State>;

const rentals = messagesTo<typeof rentalActor>("rental");

const Nothing = Type.Object({});
const ChangeInput = Strict(ChangeServer.properties);
const RentInput = Strict({ ...Rent.properties, rental_id: Id, user_id: Id, pool_id: Nullable(Id) });
const HandOverInput = Strict({
  rental_id: Id,
  user_id: Id,
  pool_id: Type.Optional(Nullable(Id)),
  rental_end: Type.String({ description: "ISO 8601" }),
  frozen_prices: Type.Optional(Nullable(Prices)),
});
const RentalId = Strict({ rental_id: Id });

/** The purpose of a payment: the context of its charge. */
const Order = Type.Object({
  saga: Id,
  rental_id: Id,
  user_id: Id,
  pool_id: Nullable(Id),
  days: Type.Integer(),
  total_cents: Cents,
  /** Missing in an order of an earlier version. */
  rent_cents: Type.Optional(Cents),
});
const Begun = Type.Object({
  saga: Id,
  user_id: Id,
  charged_cents: Cents,
  transaction_id: Nullable(Id),
  /** Of a server that is handed over. */
  server_name: Type.Optional(Type.String()),
});

export interface ServerSettings {
  /** How long a server keeps its contents after the end of its rental. */
  readonly graceMs: number;
}

/** Servers. Keyed by server, so that of two users only one can rent it. */
export const serverActor = ({ graceMs }: ServerSettings) =>
  actor("server", {
    table: serverTable,
    hasTasks: true,
    empty: (): State => null,
    conflicts: { servers_name: { code: "NAME_TAKEN", message: "there is a server of this name" } },
    on: {
      create: operatorCommand(AddServer, Nothing, (server: State, input, ctx: Ctx, operator) => {
        if (server !== null) return {};
        assertDays(input.prices ?? {}, "body.prices");
        ctx.setState(newServer(ctx, input));
        recordAdded(ctx, input, operator);
        return {};
      }),

      /** Changes the server, by an operator. An active rental gets the new prices, and keeps its fixed maximum. */
      update: operatorCommand(ChangeInput, Nothing, (state: State, input, ctx: Ctx, operator) => {
        const server = requireServer(state);
        assertUnprepared(server);
        assertDays(input.prices ?? {}, "body.prices");
        change(ctx, server, input, operator);
        return {};
      }),

      ...preparedCommands({ newServer, recordAdded, change, requireServer }),

      /**
       * Records that its host's agent has connected. From then on it can be rented, whether or not its host responds
       * at the moment.
       */
      join: command(Nothing, Nothing, (server: State, _input, ctx: Ctx) => {
        if (server?.joinedAt !== null) return {};
        ctx.setState({ ...server, joinedAt: ctx.now });
        // Whoever rented it before waits for this.
        if (server.status === "rented" && server.rentalId !== null)
          ctx.send(`joined:${ctx.newId()}`, rentals(server.rentalId).announce_host({}));
        return {};
      }),

      /** Records that its host was removed. It cannot be rented until a host of its name joins after that. */
      leave: command(
        Strict({ removed_at: Timestamp }),
        Nothing,
        (server: State, { removed_at }, ctx: Ctx) => {
          if (server?.joinedAt && server.joinedAt <= new Date(removed_at))
            ctx.setState({ ...server, joinedAt: null });
          return {};
        },
      ),

      /** Removes the server from the stock for good, by an operator. */
      delete: operatorCommand(Strict({}), Nothing, (state: State, _input, ctx: Ctx, operator) => {
        const server = requireServer(state);
        assertUnprepared(server);
        if (server.status !== "in_stock")
          throw new DomainError("SERVER_IN_USE", "only a server that nobody rents can be removed");
        ctx.setState({ ...server, status: "retired" });
        const data = { name: server.name };
        recordServerEvent(ctx, "server.removed", data, operator?.id);
        recordPrivilegedAct(ctx, operator, { act: "server_removed", resourceId: ctx.actorId, data });
        return {};
      }),

      /** Rents the server at its present prices: charges first, then begins the rental, then replies (spec §4.3). */
      rent: command(RentInput, Charged, (state: State, input, ctx: Ctx) => {
        const server = requireServer(state);
        const { rentCents, totalCents } = firstPayment(server, input.rental_days, input.max_charge_cents);
        const order: Static<typeof Order> = {
          saga: ctx.newId(),
          rental_id: input.rental_id,
          user_id: input.user_id,
          pool_id: input.pool_id,
          days: input.rental_days,
          total_cents: totalCents,
          rent_cents: rentCents,
        };
        ctx.setState({
          ...server,
          status: totalCents === 0 ? "rented" : "renting",
          rentalId: input.rental_id,
        });
        if (totalCents === 0) beginRental(ctx, server, order, null);
        else {
          const reason =
            `Rent of ${server.name} for ${daysText(input.rental_days)}` +
            (totalCents > rentCents ? ", with the setup fee" : "");
          beginCharge(ctx, {
            saga: order.saga,
            userId: input.user_id,
            charge: { amount_cents: totalCents, transaction_type: "rental", reason },
            onReply: "on_paid",
            context: order,
          });
        }
        return ctx.awaitSaga(order.saga);
      }),

      /** Ends a payment whose wallet does not reply: the server is free again. */
      on_payment_timed_out: command(PaymentTimedOut, Nothing, (server: State, { saga }, ctx: Ctx) => {
        abandonCharge(ctx, saga);
        if (server?.status !== "renting") return {};
        ctx.setState({ ...server, status: "in_stock", rentalId: null });
        ctx.completeSaga(saga, paymentTimedOut());
        return {};
      }),

      /** Handles the wallet's reply to the charge. */
      on_paid: command(
        ReplyTo(TransactionReceipt, Order),
        Nothing,
        (state: State, { context: order, reply }, ctx: Ctx) => {
          endCharge(ctx, order.saga);
          const isAwaited = state?.status === "renting" && state.rentalId === order.rental_id;
          if (!isAwaited) {
            if (reply.status === "ok") refundLateCharge(ctx, order, reply.value.transaction_id);
            return {};
          }
          if (reply.status === "ok") {
            const rentalPayment = paymentOf(order, reply.value.transaction_id, ctx.now);
            ctx.setState({ ...state, status: "rented", rentalPayment });
            beginRental(ctx, state, order, reply.value.transaction_id);
          } else {
            ctx.setState({ ...state, status: "in_stock", rentalId: null });
            ctx.completeSaga(order.saga, toDomainError(reply));
          }
          return {};
        },
      ),

      /**
       * Handles the rental's reply and completes the saga. If the rental could not begin, the server is free again
       * and the charge is refunded.
       */
      on_rental_begun: command(
        ReplyTo(Nothing, Begun),
        Nothing,
        (state: State, { context, reply }, ctx: Ctx) => {
          const { saga, user_id, ...charged } = context;
          if (reply.status === "ok") {
            ctx.completeSaga(saga, charged);
            return {};
          }
          const server = requireServer(state);
          ctx.setState({ ...server, status: "in_stock", rentalId: null });
          if (charged.transaction_id !== null) {
            refundCharge(ctx, user_id, {
              amount_cents: charged.charged_cents,
              charge_transaction_id: charged.transaction_id,
              reason: `Rent of ${server.name} undone`,
            });
          }
          ctx.completeSaga(saga, toDomainError(reply));
          return {};
        },
      ),

      /**
       * Hands the server over to a user until the end of the rental, without a payment, by an operator.
       * @throws VALIDATION_ERROR, SERVER_NOT_AVAILABLE
       */
      hand_over: command(HandOverInput, HandedOver, (state: State, input, ctx: Ctx) => {
        const server = requireServer(state);
        const nothing = { charged_cents: 0, transaction_id: null };
        if (server.rentalId === input.rental_id) return nothing;
        assertDeliverable(server, "body.server_id");
        ctx.setState({ ...server, status: "rented", rentalId: input.rental_id });
        const saga = ctx.newId();
        ctx.send(
          `begin:${saga}`,
          rentals(input.rental_id).begin({
            server_id: ctx.actorId,
            server_name: server.name,
            user_id: input.user_id,
            pool_id: input.pool_id ?? null,
            rental_end: input.rental_end,
            frozen_prices: input.frozen_prices ?? null,
            live_prices: server.prices,
          }),
          {
            onReply: "on_rental_begun",
            context: { saga, user_id: input.user_id, ...nothing, server_name: server.name },
          },
        );
        return ctx.awaitSaga(saga);
      }),

      /** Handles the end of its rental: after the grace period the server is cleaned and returns to the stock. */
      release: command(RentalId, Nothing, (server: State, { rental_id }, ctx: Ctx) => {
        if (server === null || server.rentalId !== rental_id || server.status !== "rented") return {};
        ctx.setState({ ...server, status: "grace" });
        const at = new Date(ctx.now.getTime() + graceMs);
        ctx.setTimer("grace", { at, op: "clean" });
        return {};
      }),

      /**
       * Begins the cleaning after the grace period. The reconciler of rentals deletes the containers
       * (`actors/market/rental/reconcile.ts`).
       */
      clean: command(Nothing, Nothing, (server: State, _input, ctx: Ctx) => {
        if (server?.status === "grace") ctx.setState({ ...server, status: "cleaning" });
        return {};
      }),

      /** Returns the cleaned server to the stock. */
      restock: command(Nothing, Nothing, (server: State, _input, ctx: Ctx) => {
        if (server?.status !== "cleaning") return {};
        ctx.setState({ ...server, status: "in_stock", rentalId: null });
        recordServerEvent(ctx, "server.released", { name: server.name });
        return {};
      }),
    },
  });

const newServer = (ctx: Ctx, added: AddServer): Server => ({
  name: added.name,
  kind: added.kind ?? "dedicated",
  parentId: added.parent_id ?? null,
  status: "in_stock",
  specs: added.specs,
  specsRevision: 0,
  prices: added.prices ?? {},
  setupFeeCents: added.setup_fee_cents ?? 0,
  rentalId: null,
  rentalPayment: null,
  joinedAt: null,
  deliveredByHand: added.delivered_by_hand ?? false,
  prepared: null,
  createdAt: ctx.now,
});

function recordAdded(ctx: Ctx, added: AddServer, operator: Operator | undefined): void {
  recordServerEvent(ctx, "server.added", { name: added.name }, operator?.id);
  recordPrivilegedAct(ctx, operator, { act: "server_added", resourceId: ctx.actorId, data: added });
}

function change(ctx: Ctx, server: Server, input: ChangeServer, operator: Operator | undefined): void {
  const after: Server = {
    ...changeSpecs(server, input.specs ?? server.specs),
    prices: input.prices ?? server.prices,
    setupFeeCents: input.setup_fee_cents ?? server.setupFeeCents,
    deliveredByHand: input.delivered_by_hand ?? server.deliveredByHand,
  };
  ctx.setState(after);
  if (server.status === "rented" && server.rentalId !== null && input.prices !== undefined)
    ctx.send(`reprice:${ctx.newId()}`, rentals(server.rentalId).reprice({ prices: after.prices }));
  const priced = input.prices !== undefined || input.setup_fee_cents !== undefined;
  const changes = { name: server.name, ...input };
  recordServerEvent(ctx, priced ? "server.price_changed" : "server.updated", changes, operator?.id);
  recordPrivilegedAct(ctx, operator, { act: "server_updated", resourceId: ctx.actorId, data: changes });
}

const DAY_MS = 24 * 60 * 60 * 1000;

const endOf = ({ days }: Static<typeof Order>, now: Date): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString();

function paymentOf(order: Static<typeof Order>, transactionId: string, now: Date): Server["rentalPayment"] {
  const { rental_id, total_cents, rent_cents = total_cents } = order;
  const until = endOf(order, now);
  const paid = { transaction_id: transactionId, charged_cents: total_cents, rent_cents };
  return { rental_id, ...paid, from: now.toISOString(), until };
}

function beginRental(
  ctx: Ctx,
  server: Server,
  order: Static<typeof Order>,
  transactionId: string | null,
): void {
  const { saga, rental_id, user_id, pool_id, total_cents } = order;
  ctx.send(
    `begin:${saga}`,
    rentals(rental_id).begin({
      server_id: ctx.actorId,
      server_name: server.name,
      user_id,
      pool_id,
      rental_end: endOf(order, ctx.now),
      frozen_prices: server.prices,
      live_prices: server.prices,
    }),
    {
      onReply: "on_rental_begun",
      context: { saga, user_id, charged_cents: total_cents, transaction_id: transactionId },
    },
  );
}

/** Refunds a charge whose reply came after the payment had timed out. */
function refundLateCharge(
  ctx: Ctx,
  { user_id, total_cents }: Static<typeof Order>,
  charge_transaction_id: string,
): void {
  const reason = "Rent undone: the payment was confirmed too late";
  refundCharge(ctx, user_id, { amount_cents: total_cents, charge_transaction_id, reason });
}

function requireServer(server: State): Server {
  if (server === null || server.status === "retired")
    throw new DomainError("SERVER_NOT_FOUND", "Server not found");
  return server;
}

/** Records an event of the operator's stock. It is in no user's log; administrators read it. */
function recordServerEvent(
  ctx: Ctx,
  event_type: EventType,
  data: Record<string, unknown>,
  by?: string,
): void {
  recordEvent(ctx, { event_type, resource_id: ctx.actorId, user_id: null, by, data });
}
