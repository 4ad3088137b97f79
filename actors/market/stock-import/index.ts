import { Type } from "@sinclair/typebox";
import { STOCK_CHANGES_MAX, StockImportOutcome, StockStep } from "../../../schemas/market/stock-import.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import type { serverActor } from "../server/index.ts";
import { type StockImportState, stockImportTable } from "./table.ts";

type State = StockImportState | null;
type Ctx = Context<State>;

const servers = messagesTo<ReturnType<typeof serverActor>>("server");

const Nothing = Type.Object({});
const Begin = Strict({
  digest: Type.String(),
  steps: Type.Array(StockStep, { maxItems: STOCK_CHANGES_MAX }),
});
const OfServer = Strict({ server_id: Id });

/**
 * Changes of many servers that happen together or not at all. Keyed by import.
 *
 * 1. Every server prepares its change, or refuses it. Nobody sees a prepared change, and no other change can come before it.
 * 2. If all have prepared, all apply: a prepared change cannot fail. If one refused, the others drop theirs.
 */
export const stockImportActor = actor("stock_import", {
  table: stockImportTable,
  hasTasks: true,
  empty: (): State => null,
  on: {
    begin: operatorCommand(
      Begin,
      StockImportOutcome,
      (state: State, { digest, steps }, ctx: Ctx, operator) => {
        if (state !== null && isOver(state)) return { refusals: [...state.refusals] };
        if (state === null) start(ctx, digest, steps, operator ?? null);
        return steps.length === 0 && state === null ? { refusals: [] } : ctx.awaitSaga(ctx.actorId);
      },
      // The steps follow from the file and from the stock, which the first request has changed.
      { fingerprint: ({ digest }) => digest },
    ),

    on_prepared: command(
      ReplyTo(Nothing, OfServer),
      Nothing,
      (state: State, { context: { server_id }, reply }, ctx: Ctx) => {
        if (state?.status !== "preparing") return {};
        const refusals =
          reply.status === "ok"
            ? state.refusals
            : [...state.refusals, { server_id, code: reply.code, message: reply.message }];
        const next = { ...state, refusals, awaited: state.awaited - 1 };
        if (next.awaited > 0) ctx.setState(next);
        else if (refusals.length > 0) refuse(ctx, next);
        else apply(ctx, next);
        return {};
      },
    ),

    on_applied: command(ReplyTo(Nothing, OfServer), Nothing, (state: State, _input, ctx: Ctx) => {
      if (state?.status !== "applying") return {};
      const next = { ...state, awaited: state.awaited - 1 };
      if (next.awaited > 0) ctx.setState(next);
      else finish(ctx, next);
      return {};
    }),
  },
});

const isOver = ({ status }: StockImportState): boolean => status === "applied" || status === "refused";

function start(
  ctx: Ctx,
  digest: string,
  steps: readonly (typeof StockStep.static)[],
  operator: StockImportState["operator"],
): void {
  const state: StockImportState = {
    status: "preparing",
    digest,
    serverIds: steps.map(({ server_id }) => server_id),
    awaited: steps.length,
    refusals: [],
    operator,
    createdAt: ctx.now,
  };
  if (steps.length === 0) ctx.setState({ ...state, status: "applied" });
  else ctx.setState(state);
  for (const { server_id, ...step } of steps) {
    const message = servers(server_id).prepare({ import_id: ctx.actorId, ...step });
    ctx.send(`prepare:${server_id}`, message, { onReply: "on_prepared", context: { server_id } });
  }
}

function apply(ctx: Ctx, state: StockImportState): void {
  ctx.setState({ ...state, status: "applying", awaited: state.serverIds.length });
  const order = { import_id: ctx.actorId, ...(state.operator === null ? {} : { operator: state.operator }) };
  for (const server_id of state.serverIds)
    ctx.send(`apply:${server_id}`, servers(server_id).apply_prepared(order), {
      onReply: "on_applied",
      context: { server_id },
    });
}

function refuse(ctx: Ctx, state: StockImportState): void {
  ctx.setState({ ...state, status: "refused" });
  const refused = new Set(state.refusals.map(({ server_id }) => server_id));
  for (const server_id of state.serverIds.filter((id) => !refused.has(id)))
    ctx.send(`drop:${server_id}`, servers(server_id).drop_prepared({ import_id: ctx.actorId }));
  ctx.completeSaga(ctx.actorId, { refusals: [...state.refusals] });
}

function finish(ctx: Ctx, state: StockImportState): void {
  ctx.setState({ ...state, status: "applied" });
  recordPrivilegedAct(ctx, state.operator ?? undefined, {
    act: "stock_imported",
    resourceId: ctx.actorId,
    data: { servers: state.serverIds.length },
  });
  ctx.completeSaga(ctx.actorId, { refusals: [] });
}
