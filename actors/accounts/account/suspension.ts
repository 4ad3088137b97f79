import { Type } from "@sinclair/typebox";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { Name } from "../../../schemas/text.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import type { Context } from "../../runtime/definition.ts";
import { messagesTo } from "../../runtime/transport/message.ts";
import type { tokenActor } from "../token/index.ts";
import { type Account, restore, suspend } from "./rules.ts";
import type { SecurityOptions } from "./security.ts";

type State = Account | null;
type Ctx = Context<State>;

const Reason = Strict({ reason: Name(500) });
const Ended = Type.Object({ ended: Type.Array(Id) });

const tokens = messagesTo<typeof tokenActor>("token");

/** An administrator closes an account, and opens it again. */
export const suspensionCommands = ({ requireAccount, revoke }: SecurityOptions) => ({
  /** Ends all sessions and API tokens. Until the tokens' actor has ended them, they are refused by the suspension. */
  suspend: operatorCommand(Reason, Ended, (state: State, { reason }, ctx: Ctx, operator) => {
    const by_id = operator?.id ?? null;
    const since = ctx.now.toISOString();
    const { account, ended } = suspend(requireAccount(state), { reason, by_id, since });
    ctx.setState(account);
    if (ended.length > 0) revoke(ctx, ended, "account suspended", by_id ?? ctx.actorId);
    ctx.send(`end-tokens:${ctx.newId()}`, tokens(ctx.actorId).revoke_all({ by_id }));
    const data = { reason, ended_sessions: ended.length };
    recordPrivilegedAct(ctx, operator, { act: "suspended", userId: ctx.actorId, data });
    return { ended: ended.map(({ id }) => id) };
  }),

  restore: operatorCommand(Reason, Type.Object({}), (state: State, { reason }, ctx: Ctx, operator) => {
    ctx.setState(restore(requireAccount(state)));
    recordPrivilegedAct(ctx, operator, { act: "restored", userId: ctx.actorId, data: { reason } });
    return {};
  }),
});
