import { Type } from "@sinclair/typebox";
import { nullable, text } from "../../../actors/runtime/columns.ts";
import { actor, type Context, command } from "../../../actors/runtime/definition.ts";
import { rootTable } from "../../../actors/runtime/table.ts";
import { DomainError } from "../../../schemas/errors.ts";

type Seat = { readonly holder: string | null };
const Holder = Type.Object({ holder: Type.String() });
const Nothing = Type.Object({});

/** A seat that one person at a time may hold, for a minute. */
export const seat = actor("seat", {
  table: rootTable<Seat>("seats", { key: "id", fields: { holder: nullable(text("holder")) } }),
  empty: (): Seat => ({ holder: null }),
  hasTasks: true,
  on: {
    hold: command(Holder, Holder, (seat: Seat, { holder }, ctx: Context<Seat>) => {
      if (seat.holder !== null) throw new DomainError("NAME_TAKEN", "somebody holds this seat");
      ctx.setState({ holder });
      ctx.setTimer("lapse", { at: new Date(ctx.now.getTime() + 60_000), op: "leave" });
      return { holder };
    }),
    leave: command(Nothing, Nothing, (_seat: Seat, _input, ctx: Context<Seat>) => {
      ctx.setState({ holder: null });
      ctx.clearTimer("lapse");
      return {};
    }),
  },
});
