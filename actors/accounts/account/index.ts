import { Type } from "@sinclair/typebox";
import { Email, Username } from "../../../schemas/accounts/account.ts";
import type { AuditAct } from "../../../schemas/accounts/audit.ts";
import { Role } from "../../../schemas/accounts/auth.ts";
import { programName } from "../../../schemas/accounts/user-agent.ts";
import { STANDARD_MAIL_NOTICES } from "../../../schemas/activity/mail.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { REFRESH_TOKEN_REUSED } from "../../../schemas/events.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { announceEndedSessions } from "../../platform/ended-sessions.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordAudit, recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { defaultPoolRow } from "../pool/index.ts";
import { billingCommands } from "./billing.ts";
import { deletionCommands, deletionConflicts } from "./deletion/index.ts";
import { factorCommands, useProof } from "./factors/index.ts";
import { Entry } from "./factors/inputs.ts";
import { mailCommands } from "./mail.ts";
import { recordPlace } from "./places.ts";
import { roleCommands } from "./role.ts";
import {
  type Account,
  assertActive,
  assertNotOfDeleted,
  assertPasswordIs,
  endSessions,
  newSession,
  openSession,
  refresh,
  type Session,
} from "./rules.ts";
import { securityCommands } from "./security.ts";
import { suspensionCommands } from "./suspension.ts";
import { accountTable, sessionTable } from "./table.ts";

const Hash = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "SHA-256 of a secret of a refresh token",
});
const Done = Type.Object({});

const SignupInput = Strict({
  username: Username,
  email: Email,
  /** Argon2id, computed by the gateway: a handler must not take that long. */
  password_hash: Type.String({ maxLength: 512 }),
  role: Role,
});
/** `sessions_max`: the quota in the gateway's settings. */
const SessionInput = Strict({
  entry: Entry,
  session_id: Id,
  family_hash: Hash,
  refresh_hash: Hash,
  sessions_max: Type.Integer({ minimum: 0 }),
  /** The origin of the sign-in, for the list of sessions. */
  address: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  user_agent: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
});
const RefreshInput = Strict({ session_id: Id, family_hash: Hash, shown_hash: Hash, next_hash: Hash });

type State = Account | null;
const requireAccount = (account: State): Account => {
  if (account === null || account.deletion !== null)
    throw new DomainError("USER_NOT_FOUND", "User not found");
  return account;
};

/** Accounts and their sessions. Keyed by user. */
export const accountActor = actor("account", {
  table: accountTable,
  hasTasks: true,
  empty: (): State => null,
  conflicts: {
    accounts_username: { code: "USERNAME_TAKEN", message: "this username is taken" },
    accounts_email: { code: "EMAIL_TAKEN", message: "an account with this e-mail address exists" },
    ...deletionConflicts,
    passkeys_credential: { code: "PASSKEY_EXISTS", message: "this passkey is registered already" },
  },
  on: {
    signup: command(
      SignupInput,
      Type.Object({ created_at: Type.String() }),
      (account: State, input, ctx: Context<State>) => {
        if (account !== null) throw idempotencyKeyReused();
        assertNotOfDeleted(input);
        ctx.setState({
          username: input.username,
          email: input.email,
          passwordHash: input.password_hash,
          role: input.role,
          createdAt: ctx.now,
          recovery: null,
          mailRecovery: null,
          emailVerifiedAt: null,
          emailVerification: null,
          mailNotices: STANDARD_MAIL_NOTICES,
          billingDetails: null,
          knownPlaces: [],
          suspension: null,
          deletion: null,
          totp: null,
          recoveryCodes: [],
          passkeys: [],
          sessionsEpoch: 0,
          sessions: [],
        });
        ctx.insert("pools", defaultPoolRow(ctx.actorId, ctx.now));
        userEvent(ctx, "user.signed_up", { username: input.username });
        audit(ctx, "signed_up");
        requestMail(ctx, { kind: "verification", user_id: ctx.actorId });
        return { created_at: ctx.now.toISOString() };
      },
      // The hash has a new salt each time, so it is no part of the fingerprint. For a repeated key the gateway checks
      // the password.
      { fingerprint: (input) => JSON.stringify([input.username, input.email]) },
    ),

    login: command(SessionInput, Done, (state: State, input, ctx: Context<State>) => {
      const entered = enter(ctx, requireAccount(state), input.entry);
      const session = newSession(
        input.session_id,
        { familyHash: input.family_hash, refreshHash: input.refresh_hash },
        ctx.now,
        { address: input.address ?? null, userAgent: input.user_agent ?? null },
      );
      const { account, ended } = openSession(entered, session, input.sessions_max);
      ctx.setState(recordPlace(ctx, account, session));
      ctx.insert("sessions", sessionTable.row(ctx.actorId, session, { endedAt: null }));
      for (const gone of ended)
        ctx.update("sessions", sessionTable.row(ctx.actorId, gone, { endedAt: ctx.now }));
      if (ended.length > 0) announceEndedSessions(ctx, ctx.actorId);
      userEvent(ctx, "user.logged_in", { session_id: session.id });
      const { id, address, userAgent } = session;
      audit(ctx, "signed_in", {
        session_id: id,
        address,
        program: programName(userAgent),
        user_agent: userAgent,
        by: methodsOf(input.entry),
      });
      return {};
    }),

    /** Records wrong passwords. The gateway sends it at most once a minute, whatever the number of attempts. */
    fail_login: command(
      Strict({ address: Nullable(Type.String({ maxLength: 64 })) }),
      Done,
      (state: State, { address }, ctx: Context<State>) => {
        requireAccount(state);
        userEvent(ctx, "user.login_failed", { address });
        recordAudit(ctx, { act: "sign_in_failed", userId: ctx.actorId, by: null, data: { address } });
        return {};
      },
      // The key stands for a minute, so the address of the attempt does not matter.
      { fingerprint: () => "" },
    ),

    /**
     * Records an impersonation: the user's log names the administrator and the reason, the administrator's log the
     * user. Of a suspended account nobody may act, the administrator in the user's name neither.
     * @throws INSUFFICIENT_PERMISSIONS for an administrator, ACCOUNT_SUSPENDED
     */
    impersonate: operatorCommand(
      Strict({ admin_id: Id, admin: Type.String(), reason: Type.String() }),
      Done,
      (state: State, input, ctx: Context<State>, operator) => {
        const account = requireAccount(state);
        const { role, username } = account;
        if (role === "admin") {
          throw new DomainError("INSUFFICIENT_PERMISSIONS", "Administrators are not impersonated");
        }
        assertActive(account);
        userEvent(ctx, "user.logged_in", { impersonated_by: input });
        const impersonates = { user_id: ctx.actorId, username, reason: input.reason };
        recordEvent(ctx, {
          event_type: "user.logged_in",
          resource_id: ctx.actorId,
          user_id: input.admin_id,
          data: { impersonates },
        });
        const data = { reason: input.reason };
        recordPrivilegedAct(ctx, operator, { act: "impersonated", userId: ctx.actorId, data });
        return {};
      },
    ),

    /**
     * Exchanges a refresh token. A former token ends its session. That must be committed, so it is a reply and no
     * error.
     */
    refresh: command(
      RefreshInput,
      Type.Object({
        outcome: Type.Union([Type.Literal("rotated"), Type.Literal("reused"), Type.Literal("unknown")]),
      }),
      (account: State, input, ctx: Context<State>) => {
        const result = refresh(
          requireAccount(account),
          input.session_id,
          { familyHash: input.family_hash, refreshHash: input.shown_hash },
          input.next_hash,
          ctx.now,
        );
        if (result.outcome === "unknown") return { outcome: result.outcome };
        if (result.outcome === "repeated") return { outcome: "rotated" as const };
        const reused = result.outcome === "reused";
        ctx.setState(result.account);
        ctx.update(
          "sessions",
          sessionTable.row(ctx.actorId, result.session, { endedAt: reused ? ctx.now : null }),
        );
        if (reused) announceEndedSessions(ctx, ctx.actorId);
        if (reused) {
          const { session_id } = input;
          userEvent(ctx, "user.session_revoked", { session_id, reason: REFRESH_TOKEN_REUSED });
          const data = { session_id };
          recordAudit(ctx, { act: "refresh_token_reused", userId: ctx.actorId, by: null, data });
        }
        return { outcome: result.outcome };
      },
    ),

    logout: command(Strict({ session_id: Id }), Done, (state: State, input, ctx: Context<State>) => {
      const account = requireAccount(state);
      const session = account.sessions.find(({ id }) => id === input.session_id);
      if (session === undefined) return {};
      ctx.setState({ ...account, sessions: account.sessions.filter(({ id }) => id !== session.id) });
      ctx.update("sessions", sessionTable.row(ctx.actorId, session, { endedAt: ctx.now }));
      announceEndedSessions(ctx, ctx.actorId);
      userEvent(ctx, "user.logged_out", { session_id: session.id });
      audit(ctx, "signed_out", { session_id: session.id });
      return {};
    }),

    /** Ends one of the user's sessions from another one. */
    end_session: command(Strict({ session_id: Id }), Done, (state: State, input, ctx: Context<State>) => {
      const account = requireAccount(state);
      const session = account.sessions.find(({ id }) => id === input.session_id);
      if (session === undefined) throw new DomainError("SESSION_NOT_FOUND", "Session not found");
      ctx.setState({ ...account, sessions: account.sessions.filter(({ id }) => id !== session.id) });
      revoked(ctx, [session], "ended by the user");
      return {};
    }),

    /** Ends all of the user's sessions except the one to keep. */
    end_sessions: command(
      Strict({ keep_session_id: Nullable(Id) }),
      Type.Object({ ended: Type.Array(Id) }),
      (state: State, { keep_session_id }, ctx: Context<State>) => {
        const { account, ended } = endSessions(requireAccount(state), keep_session_id ?? undefined);
        ctx.setState(account);
        if (ended.length > 0) revoked(ctx, ended, "all sessions ended by the user");
        return { ended: ended.map(({ id }) => id) };
      },
    ),

    ...factorCommands({ requireAccount, revoke: revoked }),
    ...mailCommands({ requireAccount }),
    ...billingCommands({ requireAccount }),
    ...securityCommands({ requireAccount, revoke: revoked }),
    ...suspensionCommands({ requireAccount, revoke: revoked }),
    ...roleCommands({ requireAccount, revoke: revoked }),
    ...deletionCommands({ requireAccount, revoke: revoked }),
  },
});

/**
 * The account of somebody who has shown that it is theirs: what the gateway has checked must still hold.
 * @throws ACCOUNT_SUSPENDED, WRONG_PASSWORD, SECOND_FACTOR_WRONG, SESSION_NOT_FOUND
 */
function enter(ctx: Context<State>, account: Account, entry: Entry): Account {
  assertActive(account);
  if (entry.by === "device") {
    const isOpen = account.sessions.some(({ id }) => id === entry.session_id);
    if (!isOpen || entry.sessions_epoch !== account.sessionsEpoch)
      throw new DomainError("SESSION_NOT_FOUND", "The session that approved this sign-in has ended");
    return account;
  }
  if (entry.by === "password") assertPasswordIs(account, entry.password_hash);
  return useProof(ctx, account, entry.proof);
}

/** For the audit log: `password`, `password and totp`, `passkey`, `device`. */
const methodsOf = (entry: Entry): string =>
  entry.by === "password" && entry.proof !== null ? `password and ${entry.proof.by}` : entry.by;

/** What the user did with the own account. */
const audit = (ctx: Context<State>, act: AuditAct, data: Record<string, unknown> = {}): void =>
  recordAudit(ctx, { act, userId: ctx.actorId, by: ctx.actorId, data });

function userEvent(
  ctx: Context<State>,
  event_type:
    | "user.signed_up"
    | "user.logged_in"
    | "user.login_failed"
    | "user.logged_out"
    | "user.session_revoked",
  data: Record<string, unknown>,
): void {
  recordEvent(ctx, { event_type, resource_id: ctx.actorId, user_id: ctx.actorId, data });
}

/** Ends sessions that the user, or whoever else is named, revokes. Each has an event of its own. */
function revoked(ctx: Context<State>, sessions: readonly Session[], reason: string, by = ctx.actorId): void {
  for (const session of sessions) {
    ctx.update("sessions", sessionTable.row(ctx.actorId, session, { endedAt: ctx.now }));
    userEvent(ctx, "user.session_revoked", { session_id: session.id, reason });
    const data = { session_id: session.id, reason };
    recordAudit(ctx, { act: "session_ended", userId: ctx.actorId, by, data });
  }
  announceEndedSessions(ctx, ctx.actorId);
}
