import { Type } from "@sinclair/typebox";
import { actor, type Context, command, type Loaded, type Row } from "../../actors/runtime/definition.ts";
import { type Shop, shop as shopActor, type Till, till as tillActor } from "../actors/runtime/shop.ts";
import type { SimulatedSql } from "./store.ts";

/** Actors that set timers and send: a shop whose orders a till pays, and an alarm that knows by itself which timers it has. */

const loadFrom =
  <State>(table: string, toState: (row: Row) => State) =>
  async (db: unknown, ids: readonly string[]): Promise<Map<string, Loaded<State>>> => {
    const rows = await (db as SimulatedSql).rows(table, ids);
    return new Map(
      rows.map((row) => [String(row.id), { version: Number(row.version), state: toState(row) }]),
    );
  };

const number = (row: Row, column: string): number => Number(row[column]);

export const till = {
  ...tillActor,
  load: loadFrom("tills", (row): Till => ({ money: number(row, "money") })),
};

export const shop = {
  ...shopActor,
  load: loadFrom(
    "shops",
    (row): Shop => ({
      stock: number(row, "stock"),
      sold: number(row, "sold"),
      lapsed: number(row, "lapsed"),
      late: number(row, "late"),
    }),
  ),
};

export interface Ring {
  /** By the wall clock of the host that set it. */
  readonly dueAt: string;
  /** Whether it came before its time, by the clock of the host that ran it. */
  readonly early: boolean;
  /** Whether it is of a timer that had been cleared, or set anew. */
  readonly wrong: boolean;
}

export interface Alarm {
  readonly sets: number;
  /** By name, which setting of it is to ring. */
  readonly armed: Readonly<Record<string, number>>;
  readonly rings: readonly Ring[];
}

const Name = Type.Object({ name: Type.String() });
const Nothing = Type.Object({});

export const alarm = actor("alarm", {
  table: "alarms",
  key: "id",
  hasTasks: true,
  load: loadFrom("alarms", (row): Alarm => row.state as Alarm),
  empty: (): Alarm => ({ sets: 0, armed: {}, rings: [] }),
  row: (state, id) => ({ id, state }),
  on: {
    set: command(
      Type.Object({ name: Type.String(), in_ms: Type.Integer() }),
      Nothing,
      (state: Alarm, { name, in_ms }, ctx: Context<Alarm>) => {
        const sets = state.sets + 1;
        const at = new Date(ctx.now.getTime() + in_ms);
        ctx.setTimer(name, { at, op: "ring", input: { name, setting: sets, due_at: at.toISOString() } });
        ctx.become({ ...state, sets, armed: { ...state.armed, [name]: sets } });
        return {};
      },
    ),
    clear: command(Name, Nothing, (state: Alarm, { name }, ctx: Context<Alarm>) => {
      ctx.clearTimer(name);
      ctx.become({ ...state, armed: without(state.armed, name) });
      return {};
    }),
    ring: command(
      Type.Object({ name: Type.String(), setting: Type.Integer(), due_at: Type.String() }),
      Nothing,
      (state: Alarm, { name, setting, due_at }, ctx: Context<Alarm>) => {
        const ring = {
          dueAt: due_at,
          early: ctx.now < new Date(due_at),
          wrong: state.armed[name] !== setting,
        };
        ctx.become({ ...state, armed: without(state.armed, name), rings: [...state.rings, ring] });
        return {};
      },
    ),
  },
});

function without(armed: Alarm["armed"], name: string): Alarm["armed"] {
  const { [name]: _, ...rest } = armed;
  return rest;
}
