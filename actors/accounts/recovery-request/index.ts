import { Type } from "@sinclair/typebox";
import { Email } from "../../../schemas/accounts/account.ts";
import { MAILED_LINK_MINUTES, RECOVERY_MAILS_MAX } from "../../../schemas/activity/mail.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Strict } from "../../../schemas/primitives.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { type RecoveryRequests, recoveryRequestTable } from "./table.ts";

type State = RecoveryRequests | null;
type Ctx = Context<State>;

const WINDOW_MS = MAILED_LINK_MINUTES * 60_000;
const Done = Type.Object({});

/**
 * Requests for recovery links by mail. Keyed by a hash of the address, and the same for every address: whether an account has it, neither
 * the reply nor its time tells. They are deleted when their time is over.
 */
export const recoveryRequestActor = actor("recovery_request", {
  table: recoveryRequestTable,
  hasTasks: true,
  empty: (): State => null,
  on: {
    /** @throws RATE_LIMITED where the address was asked for too often: nobody's mailbox is filled */
    ask: command(Strict({ email: Email }), Done, (state: State, { email }, ctx: Ctx) => {
      const { asked, expiresAt } = present(state, ctx.now);
      if (asked >= RECOVERY_MAILS_MAX) throw askedTooOften(expiresAt, ctx.now);
      ctx.setState({ asked: asked + 1, expiresAt });
      ctx.setTimer("expire", { at: expiresAt, op: "expire" });
      requestMail(ctx, { kind: "recovery", email });
      return {};
    }),

    expire: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
      if (state !== null) ctx.setState(null);
      return {};
    }),
  },
});

const present = (state: State, now: Date): RecoveryRequests =>
  state !== null && state.expiresAt > now
    ? state
    : { asked: 0, expiresAt: new Date(now.getTime() + WINDOW_MS) };

const askedTooOften = (expiresAt: Date, now: Date) =>
  new DomainError(
    "RATE_LIMITED",
    "Links for this address were asked for several times: look for the mail, or wait",
    { retry_after_seconds: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1_000)) },
  );
