import { Type } from "@sinclair/typebox";
import { Email } from "../../../schemas/accounts/account.ts";
import { Id, Nullable, OneOf, Strict } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordAudit, recordPrivilegedAct } from "../../platform/record-audit.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { type Context, command } from "../../runtime/definition.ts";
import { sendSecurityNotice } from "./factors/notices.ts";
import { hasSecondFactor, withoutSecondFactor } from "./factors/rules.ts";
import {
  type Account,
  assertActive,
  assertNotOfDeleted,
  assertPasswordIs,
  endSessions,
  openMailRecovery,
  openRecovery,
  recoveryOf,
  type Session,
  withoutRecovery,
} from "./rules.ts";

type State = Account | null;
type Ctx = Context<State>;

/** Made by the gateway: hashing takes far too long for a handler. */
const PasswordHash = Type.String({ maxLength: 512 });
const TokenHash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of a recovery token" });
const Address = Nullable(Type.String({ maxLength: 64 }));
const Ended = Type.Object({ ended: Type.Array(Id) });

export interface SecurityOptions {
  requireAccount(account: State): Account;
  /** Ends sessions with an event for each. */
  revoke(ctx: Ctx, sessions: readonly Session[], reason: string, by?: string): void;
}

/** Changes of what an account is entered with. `current_hash` is the hash that the gateway has checked the present password against. */
export const securityCommands = ({ requireAccount, revoke }: SecurityOptions) => ({
  /** Ends all other sessions: whoever knew the former password is out. */
  change_password: command(
    Strict({
      current_hash: PasswordHash,
      password_hash: PasswordHash,
      keep_session_id: Id,
      address: Address,
    }),
    Ended,
    (state: State, input, ctx: Ctx) => {
      const before = requireAccount(state);
      assertPasswordIs(before, input.current_hash);
      const { account, ended } = endSessions(before, input.keep_session_id);
      ctx.setState({ ...withoutRecovery(account), passwordHash: input.password_hash });
      if (ended.length > 0) revoke(ctx, ended, "password changed");
      sendSecurityNotice(ctx, "Password changed", "Your password was changed.", { against: "recovery" });
      recordAudit(ctx, {
        act: "password_changed",
        userId: ctx.actorId,
        by: ctx.actorId,
        data: { address: input.address, ended_sessions: ended.length },
      });
      return { ended: ended.map(({ id }) => id) };
    },
  ),

  change_email: command(
    Strict({ current_hash: PasswordHash, email: Email, address: Address }),
    Type.Object({}),
    (state: State, input, ctx: Ctx) => {
      const account = requireAccount(state);
      assertPasswordIs(account, input.current_hash);
      if (account.email === input.email) return {};
      assertNotOfDeleted(input);
      // A link in the former mailbox opens nothing any more.
      const former = account.emailVerifiedAt === null ? undefined : account.email;
      const unproven = { mailRecovery: null, emailVerifiedAt: null, emailVerification: null };
      ctx.setState({ ...account, ...unproven, email: input.email });
      requestMail(ctx, { kind: "verification", user_id: ctx.actorId });
      sendSecurityNotice(ctx, "E-mail address changed", `It is ${input.email} now.`, {
        against: "operator",
        address: former,
      });
      recordAudit(ctx, {
        act: "email_changed",
        userId: ctx.actorId,
        by: ctx.actorId,
        data: { from: account.email, to: input.email, address: input.address },
      });
      return {};
    },
  ),

  /** An operator lets the user set a new password, by a link that is good once. A newer link replaces an older one. */
  start_recovery: operatorCommand(
    Strict({ token_hash: TokenHash, reason: Type.String({ maxLength: 500 }) }),
    Type.Object({ expires_at: Type.String() }),
    (state: State, { token_hash, reason }, ctx: Ctx, operator) => {
      const account = openRecovery(requireAccount(state), token_hash, ctx.now);
      ctx.setState(account);
      const data = { reason };
      recordPrivilegedAct(ctx, operator, { act: "recovery_started", userId: ctx.actorId, data });
      return { expires_at: account.recovery.expires_at };
    },
  ),

  /**
   * A link for whoever reads the account's mailbox; a newer one replaces an older one. `refused`: an administrator without a second
   * factor; `stale`: the account has another address by now.
   */
  open_mail_recovery: command(
    Strict({ token_hash: TokenHash, email: Email }),
    Type.Object({ outcome: OneOf(["opened", "refused", "stale"]), expires_at: Nullable(Type.String()) }),
    (state: State, { token_hash, email }, ctx: Ctx) => {
      const before = requireAccount(state);
      assertActive(before);
      if (before.email !== email) return { outcome: "stale" as const, expires_at: null };
      const account = openMailRecovery(before, token_hash, ctx.now);
      if (account === undefined) return { outcome: "refused" as const, expires_at: null };
      ctx.setState(account);
      const data = { by_mail: true };
      recordAudit(ctx, { act: "recovery_started", userId: ctx.actorId, by: null, data });
      return { outcome: "opened" as const, expires_at: account.mailRecovery.expires_at };
    },
  ),

  /**
   * The link's user has a new password. All sessions end. By an administrator's link the second factor ends too: whoever needs the link may
   * have lost that as well. By a mailed one it stays: a mailbox proves no more than one factor.
   */
  recover: command(
    Strict({ token_hash: TokenHash, password_hash: PasswordHash, address: Address }),
    Ended,
    (state: State, input, ctx: Ctx) => {
      const before = requireAccount(state);
      const way = recoveryOf(before, input.token_hash, ctx.now);
      const { account, ended } = endSessions(withoutRecovery(before), undefined);
      const isStripped = way === "administrator" && hasSecondFactor(account);
      ctx.setState({
        ...(isStripped ? withoutSecondFactor(account) : account),
        passwordHash: input.password_hash,
        // Who has a mailed link reads the mailbox.
        ...(way === "mail" ? { emailVerifiedAt: before.emailVerifiedAt ?? ctx.now } : {}),
      });
      sendSecurityNotice(ctx, "New password", "Your password was set by a recovery link.", {
        against: "recovery",
      });
      if (isStripped) for (const { id } of account.passkeys) ctx.remove("passkeys", { id });
      if (ended.length > 0) revoke(ctx, ended, "account recovered");
      const data = {
        address: input.address,
        ended_sessions: ended.length,
        second_factor_removed: isStripped,
        by_mail: way === "mail",
      };
      recordAudit(ctx, { act: "recovered", userId: ctx.actorId, by: null, data });
      return { ended: ended.map(({ id }) => id) };
    },
  ),
});
