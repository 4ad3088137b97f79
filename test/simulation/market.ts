import { Type } from "@sinclair/typebox";
import { integer, json } from "../../actors/runtime/columns.ts";
import { actor, type Context, command } from "../../actors/runtime/definition.ts";
import { rootTable } from "../../actors/runtime/table.ts";
import { shop as shopActor, till as tillActor } from "../actors/runtime/shop.ts";
import { simulated } from "./table.ts";

/** Actors that set timers and send: a shop whose orders a till pays, and an alarm that knows by itself which timers it has. */

export const till = { ...tillActor, table: simulated(tillActor.table) };
export const shop = { ...shopActor, table: simulated(shopActor.table) };

export interface Ring {
  /** By the wall clock of the host that set it. */
  readonly dueAt: string;
  /** Whether it came before its time, by the clock of the host that ran it. */
  readonly early: boolean;
  /** Whether it is of a timer that had been cleared, or set again. */
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
  table: simulated(
    rootTable<Alarm>("alarms", {
      key: "id",
      fields: { sets: integer("sets"), armed: json("armed"), rings: json("rings") },
    }),
  ),
  empty: (): Alarm => ({ sets: 0, armed: {}, rings: [] }),
  hasTasks: true,
  on: {
    set: command(
      Type.Object({ name: Type.String(), in_ms: Type.Integer() }),
      Nothing,
      (state: Alarm, { name, in_ms }, ctx: Context<Alarm>) => {
        const sets = state.sets + 1;
        const at = new Date(ctx.now.getTime() + in_ms);
        ctx.setTimer(name, { at, op: "ring", input: { name, setting: sets, due_at: at.toISOString() } });
        ctx.setState({ ...state, sets, armed: { ...state.armed, [name]: sets } });
        return {};
      },
    ),
    clear: command(Name, Nothing, (state: Alarm, { name }, ctx: Context<Alarm>) => {
      ctx.clearTimer(name);
      ctx.setState({ ...state, armed: without(state.armed, name) });
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
        ctx.setState({ ...state, armed: without(state.armed, name), rings: [...state.rings, ring] });
        return {};
      },
    ),
  },
});

function without(armed: Alarm["armed"], name: string): Alarm["armed"] {
  const { [name]: _, ...rest } = armed;
  return rest;
}
