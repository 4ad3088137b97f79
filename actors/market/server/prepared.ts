import { type Static, Type } from "@sinclair/typebox";
import type { Operator } from "../../../schemas/accounts/audit.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { AddServer, ChangeServer } from "../../../schemas/market/server.ts";
import { StockRevision } from "../../../schemas/market/stock-import.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { type Context, command } from "../../runtime/definition.ts";
import { assertDays } from "../prices.ts";
import { assertUnprepared, type Server, stockRevision } from "./rules.ts";

type State = Server | null;
type Ctx = Context<State>;
type Change = Static<typeof ChangeServer>;
type Add = Static<typeof AddServer>;

const Nothing = Type.Object({});
const ImportId = Strict({ import_id: Id });
const Prepare = Strict({
  import_id: Id,
  revision: Nullable(StockRevision),
  add: Nullable(AddServer),
  change: Nullable(Strict(ChangeServer.properties)),
});

/** How the server's own commands add and change it. */
export interface StockChanges {
  readonly newServer: (ctx: Ctx, added: Add) => Server;
  readonly recordAdded: (ctx: Ctx, added: Add, operator: Operator | undefined) => void;
  readonly change: (ctx: Ctx, server: Server, change: Change, operator: Operator | undefined) => void;
  readonly requireServer: (state: State) => Server;
}

/** What the stock's imports ask of a server: see `actors/market/stock-import`. */
export const preparedCommands = ({ newServer, recordAdded, change, requireServer }: StockChanges) => ({
  /** Promises a change. A new server takes its name at once, and cannot be rented until it is applied. */
  prepare: command(Prepare, Nothing, (state: State, { import_id, revision, ...step }, ctx: Ctx) => {
    const prepared = { importId: import_id, add: step.add, change: step.change };
    assertDays(step.add?.prices ?? step.change?.prices ?? {}, "body.prices");
    if (step.add !== null) {
      if (state === null) ctx.setState({ ...newServer(ctx, step.add), prepared });
      return {};
    }
    const server = requireServer(state);
    assertUnprepared(server);
    if (stockRevision(server) !== revision)
      throw new DomainError("STOCK_CHANGED", "the server was changed after the file was made");
    ctx.setState({ ...server, prepared });
    return {};
  }),

  apply_prepared: operatorCommand(ImportId, Nothing, (state: State, { import_id }, ctx: Ctx, operator) => {
    if (state?.prepared?.importId !== import_id) return {};
    const { prepared, ...rest } = state;
    const server: Server = { ...rest, prepared: null };
    if (prepared.add !== null) {
      ctx.setState(server);
      recordAdded(ctx, prepared.add, operator);
    } else change(ctx, server, prepared.change ?? {}, operator);
    return {};
  }),

  /** Takes the promise back. A new server gives its name free. */
  drop_prepared: command(ImportId, Nothing, (state: State, { import_id }, ctx: Ctx) => {
    if (state?.prepared?.importId !== import_id) return {};
    const isNew = state.prepared.add !== null;
    ctx.setState({ ...state, status: isNew ? "retired" : state.status, prepared: null });
    return {};
  }),
});
