import { Type } from "@sinclair/typebox";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import { actor, type Context, command, type Loaded } from "../../../actors/runtime/definition.ts";
import { DomainError } from "../../../schemas/errors.ts";

type Seat = { readonly holder: string | null };
const Holder = Type.Object({ holder: Type.String() });
const Nothing = Type.Object({});

/** A seat that one person at a time may hold, for a minute. */
export const seat = actor("seat", {
  table: "seats",
  key: "id",
  hasTasks: true,
  async load(db: Sql, ids): Promise<Map<string, Loaded<Seat>>> {
    const rows = await db<{ id: string; version: bigint; holder: string | null }[]>`
      SELECT id, version, holder FROM seats WHERE id = ANY (${[...ids]}::text[])`;
    return new Map(
      rows.map((row) => [row.id, { version: Number(row.version), state: { holder: row.holder } }]),
    );
  },
  empty: (): Seat => ({ holder: null }),
  row: ({ holder }, id) => ({ id, holder }),
  on: {
    hold: command(Holder, Holder, (seat: Seat, { holder }, ctx: Context<Seat>) => {
      if (seat.holder !== null) throw new DomainError("NAME_TAKEN", "somebody holds this seat");
      ctx.become({ holder });
      ctx.setTimer("lapse", { at: new Date(ctx.now.getTime() + 60_000), op: "leave" });
      return { holder };
    }),
    leave: command(Nothing, Nothing, (_seat: Seat, _input, ctx: Context<Seat>) => {
      ctx.become({ holder: null });
      ctx.clearTimer("lapse");
      return {};
    }),
  },
});
