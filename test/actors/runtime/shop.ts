import { Type } from "@sinclair/typebox";
import { integer } from "../../../actors/runtime/columns.ts";
import { actor, type Context, command } from "../../../actors/runtime/definition.ts";
import { rootTable } from "../../../actors/runtime/table.ts";
import { messagesTo, ReplyTo } from "../../../actors/runtime/transport/message.ts";
import { DomainError } from "../../../schemas/errors.ts";

/** A saga of two actors that know nothing of Berth: a shop keeps an order, a customer's till pays for it. */

export const SHOP_TABLES = `
  CREATE TABLE tills (id text PRIMARY KEY, version bigint NOT NULL, money int NOT NULL CHECK (money >= 0));
  CREATE TABLE shops (
    id text PRIMARY KEY, version bigint NOT NULL, stock int NOT NULL, sold int NOT NULL, lapsed int NOT NULL, late int NOT NULL);
  INSERT INTO actor_tables (name) VALUES ('tills'), ('shops');`;

export interface Till {
  readonly money: number;
}

const Money = Type.Object({ money: Type.Integer() });

export const till = actor("till", {
  table: rootTable<Till>("tills", { key: "id", fields: { money: integer("money") } }),
  empty: (): Till => ({ money: 0 }),
  on: {
    put: command(Type.Object({ by: Type.Integer() }), Money, (state: Till, { by }, ctx: Context<Till>) => {
      const money = state.money + by;
      if (money < 0) throw new DomainError("INSUFFICIENT_BALANCE", "not enough in the till");
      ctx.setState({ money });
      return { money };
    }),
  },
});

export interface Shop {
  readonly stock: number;
  readonly sold: number;
  /** Orders that nobody paid for in time, and payments that came too late for them. */
  readonly lapsed: number;
  readonly late: number;
}

const Stock = Type.Object({ stock: Type.Integer() });
const Order = Type.Object({ order: Type.String(), till: Type.String(), price: Type.Integer() });
const tills = messagesTo<typeof till>("till");

export const shop = actor("shop", {
  table: rootTable<Shop>("shops", {
    key: "id",
    fields: {
      stock: integer("stock"),
      sold: integer("sold"),
      lapsed: integer("lapsed"),
      late: integer("late"),
    },
  }),
  hasTasks: true,
  empty: (): Shop => ({ stock: 0, sold: 0, lapsed: 0, late: 0 }),
  on: {
    stock: command(Stock, Stock, (state: Shop, { stock }, ctx: Context<Shop>) => {
      ctx.setState({ ...state, stock });
      return { stock };
    }),

    /** Takes one off the shelf, asks the till for the price, and is answered when that has answered. */
    buy: command(
      Type.Object({ till: Type.String(), price: Type.Integer(), patience_ms: Type.Optional(Type.Integer()) }),
      Stock,
      (state: Shop, input, ctx: Context<Shop>) => {
        if (state.stock === 0) throw new DomainError("NAME_TAKEN", "sold out");
        const order = ctx.newId();
        ctx.setState({ ...state, stock: state.stock - 1 });
        ctx.send(`pay:${order}`, tills(input.till).put({ by: -input.price }), {
          onReply: "paid",
          context: { order, till: input.till, price: input.price },
        });
        if (input.patience_ms !== undefined) {
          const at = new Date(ctx.now.getTime() + input.patience_ms);
          ctx.setTimer(`lapse:${order}`, { at, op: "lapse", input: { order } });
        }
        return ctx.awaitSaga(order);
      },
    ),

    paid: command(
      ReplyTo(Money, Order),
      Type.Object({}),
      (state: Shop, { context, reply }, ctx: Context<Shop>) => {
        const { order } = context;
        const lapsed = !ctx.isPending(`lapse:${order}`);
        ctx.clearTimer(`lapse:${order}`);
        if (reply.status === "ok") {
          ctx.setState({ ...state, sold: state.sold + 1, late: state.late + (lapsed ? 1 : 0) });
          ctx.completeSaga(order, { stock: state.stock });
        } else {
          ctx.setState({ ...state, stock: state.stock + 1 });
          const code = reply.code === "ABORTED" ? "ABORTED" : "INSUFFICIENT_BALANCE";
          ctx.completeSaga(order, new DomainError(code, reply.message));
        }
        return {};
      },
    ),

    lapse: command(
      Type.Object({ order: Type.String() }),
      Type.Object({}),
      (state: Shop, { order }, ctx: Context<Shop>) => {
        ctx.setState({ ...state, lapsed: state.lapsed + 1 });
        ctx.abort(`pay:${order}`);
        return {};
      },
    ),

    /** Joins and ends a saga of any name. */
    follow: command(
      Type.Object({ saga: Type.String() }),
      Stock,
      (_state: Shop, { saga }, ctx: Context<Shop>) => ctx.awaitSaga(saga),
    ),
    finish: command(
      Type.Object({ saga: Type.String(), stock: Type.Integer() }),
      Type.Object({}),
      (_state: Shop, { saga, stock }, ctx: Context<Shop>) => {
        ctx.completeSaga(saga, { stock });
        return {};
      },
    ),

    /** Sets a timer that takes stock off, so many times as it fires. */
    tick: command(
      Type.Object({ name: Type.String(), in_ms: Type.Integer() }),
      Stock,
      (state: Shop, { name, in_ms }, ctx: Context<Shop>) => {
        ctx.setTimer(name, { at: new Date(ctx.now.getTime() + in_ms), op: "ticked" });
        return { stock: state.stock };
      },
    ),
    ticked: command(Type.Object({}), Stock, (state: Shop, _input, ctx: Context<Shop>) => {
      ctx.setState({ ...state, sold: state.sold + 1 });
      return { stock: state.stock };
    }),
    untick: command(
      Type.Object({ name: Type.String() }),
      Stock,
      (state: Shop, { name }, ctx: Context<Shop>) => {
        ctx.clearTimer(name);
        return { stock: state.stock };
      },
    ),
  },
});
