import { Type } from "@sinclair/typebox";
import type { AuditAct } from "../../../../schemas/accounts/audit.ts";
import { PasskeyName } from "../../../../schemas/accounts/second-factor.ts";
import { DomainError } from "../../../../schemas/errors.ts";
import { Id, Nullable, Strict } from "../../../../schemas/primitives.ts";
import { recordAudit } from "../../../platform/record-audit.ts";
import { type Context, command } from "../../../runtime/definition.ts";
import { type Account, assertPasswordIs, endSessions } from "../rules.ts";
import type { SecurityOptions } from "../security.ts";
import { passkeyTable } from "../table.ts";
import { Address, CodeHash, CodeHashes, PasswordHash, ProofInput } from "./inputs.ts";
import { sendSecurityNotice } from "./notices.ts";
import {
  addPasskey,
  factorsMark,
  hasSecondFactor,
  type Passkey,
  type Proof,
  redeemProof,
  requirePasskey,
  withoutFactor,
} from "./rules.ts";

type State = Account | null;
type Ctx = Context<State>;
const Done = Type.Object({});

/** Of a factor that is added: codes for the case that it is the account's first. */
const Added = {
  current_hash: PasswordHash,
  /** Which factors the account had when this one was begun, with a proof of those. */
  factors: Type.String({ maxLength: 1_000 }),
  recovery_hashes: CodeHashes,
  keep_session_id: Id,
  address: Address,
};
const AddedReply = Type.Object({
  codes_taken: Type.Boolean({ description: "whether the recovery codes are now the account's" }),
  ended: Type.Array(Id),
});
/** Of a factor that is removed, or codes that are replaced. */
const Proven = { current_hash: PasswordHash, proof: Nullable(ProofInput), address: Address };
const Removed = { ...Proven, required: Type.Boolean() };

/** Second factors of an account (docs/decisions/0064-second-factors.md). */
export const factorCommands = ({ requireAccount, revoke }: SecurityOptions) => {
  /** The first factor brings recovery codes, and ends the sessions that were begun without it. */
  function saveAdded(ctx: Ctx, before: Account, added: Account, codes: string[], keptId: string) {
    if (hasSecondFactor(before)) {
      ctx.setState(added);
      return { codes_taken: false, ended: [] };
    }
    const { account, ended } = endSessions({ ...added, recoveryCodes: codes }, keptId);
    ctx.setState(account);
    if (ended.length > 0) revoke(ctx, ended, "second factor set up");
    return { codes_taken: true, ended: ended.map(({ id }) => id) };
  }

  /** The account to which a factor is added, if it still has those that were proven when it was begun. */
  function unchanged(state: State, input: { current_hash: string; factors: string }): Account {
    const before = requireAccount(state);
    assertPasswordIs(before, input.current_hash);
    if (factorsMark(before) !== input.factors)
      throw new DomainError("CHALLENGE_INVALID", "Your second factors have changed since: begin again");
    return before;
  }

  /** The account after its password and its second factor were proven. */
  function proven(ctx: Ctx, state: State, input: { current_hash: string; proof: Proof | null }): Account {
    const before = requireAccount(state);
    assertPasswordIs(before, input.current_hash);
    return useProof(ctx, before, input.proof);
  }

  return {
    /** Uses what was proven, for a change of something else than this account. */
    prove: command(Strict(Proven), Done, (state: State, input, ctx: Ctx) => {
      ctx.setState(proven(ctx, state, input));
      return {};
    }),

    /** Begins or replaces the codes of an app. The gateway has checked the first code; its challenge is the key: it is good once. */
    enable_totp: command(
      Strict({ ...Added, sealed: Type.String(), step: Type.Integer() }),
      AddedReply,
      (state: State, { sealed, step, ...input }, ctx: Ctx) => {
        const before = unchanged(state, input);
        const totp = { sealed, last_step: step, since: ctx.now.toISOString() };
        const reply = saveAdded(
          ctx,
          before,
          { ...before, totp },
          input.recovery_hashes,
          input.keep_session_id,
        );
        audit(ctx, "second_factor_enabled", { method: "totp", address: input.address });
        notifyOfFactors(ctx, "Second factor set up", "Codes of an app are now asked for at the sign-in.");
        return reply;
      },
    ),

    disable_totp: command(Strict(Removed), Done, (state: State, input, ctx: Ctx) => {
      const account = proven(ctx, state, input);
      if (account.totp === null) throw noSecondFactor();
      ctx.setState(withoutFactor({ ...account, totp: null }, input.required));
      audit(ctx, "second_factor_disabled", { method: "totp", address: input.address });
      notifyOfFactors(ctx, "Second factor removed", "Codes of an app are no longer asked for.");
      return {};
    }),

    /** Replaces all recovery codes, also those that are left. */
    replace_recovery_codes: command(
      Strict({ ...Proven, recovery_hashes: Type.Array(CodeHash, { maxItems: 20 }) }),
      Done,
      (state: State, input, ctx: Ctx) => {
        const account = proven(ctx, state, input);
        if (!hasSecondFactor(account)) throw noSecondFactor();
        ctx.setState({ ...account, recoveryCodes: input.recovery_hashes });
        audit(ctx, "recovery_codes_replaced", { address: input.address });
        notifyOfFactors(ctx, "New recovery codes", "The former recovery codes are no longer good.");
        return {};
      },
    ),

    /** The gateway has checked what the browser said. Its challenge is the key: it is good once. */
    add_passkey: command(
      Strict({
        ...Added,
        passkey_id: Id,
        name: PasskeyName,
        credential_id: Type.String(),
        public_key: Type.String(),
        counter: Type.Integer({ minimum: 0 }),
        transports: Type.Array(Type.String()),
        synced: Type.Boolean(),
      }),
      AddedReply,
      (state: State, input, ctx: Ctx) => {
        const before = unchanged(state, input);
        const passkey = passkeyOf(input, ctx.now);
        const added = addPasskey(before, passkey);
        ctx.insert("passkeys", passkeyTable.row(ctx.actorId, passkey));
        const reply = saveAdded(ctx, before, added, input.recovery_hashes, input.keep_session_id);
        const { id, name } = passkey;
        audit(ctx, "passkey_added", { passkey_id: id, name, address: input.address });
        notifyOfFactors(ctx, "Passkey added", `The passkey "${name}" can now sign in to your account.`);
        return reply;
      },
    ),

    rename_passkey: command(
      Strict({ passkey_id: Id, name: PasskeyName }),
      Done,
      (state: State, { passkey_id, name }, ctx: Ctx) => {
        const account = requireAccount(state);
        const renamed = { ...requirePasskey(account, passkey_id), name };
        ctx.setState({
          ...account,
          passkeys: account.passkeys.map((one) => (one.id === passkey_id ? renamed : one)),
        });
        ctx.update("passkeys", passkeyTable.row(ctx.actorId, renamed));
        return {};
      },
    ),

    remove_passkey: command(Strict({ ...Removed, passkey_id: Id }), Done, (state: State, input, ctx: Ctx) => {
      const { id, name } = requirePasskey(requireAccount(state), input.passkey_id);
      const account = proven(ctx, state, input);
      const passkeys = account.passkeys.filter((one) => one.id !== id);
      ctx.setState(withoutFactor({ ...account, passkeys }, input.required));
      ctx.remove("passkeys", { id });
      audit(ctx, "passkey_removed", { passkey_id: id, name, address: input.address });
      notifyOfFactors(ctx, "Passkey removed", `The passkey "${name}" no longer signs in.`);
      return {};
    }),
  };
};

/** Uses a proof, and writes what was used of it. @throws SECOND_FACTOR_WRONG */
export function useProof(ctx: Ctx, before: Account, proof: Proof | null): Account {
  const account = redeemProof(before, proof, ctx.now);
  if (proof?.by === "passkey")
    ctx.update("passkeys", passkeyTable.row(ctx.actorId, requirePasskey(account, proof.passkey_id)));
  if (proof?.by === "recovery_code") {
    const left = account.recoveryCodes.length;
    audit(ctx, "recovery_code_used", { left });
    notifyOfFactors(ctx, "Recovery code used", `A recovery code was used; ${left} are left.`);
  }
  return account;
}

const audit = (ctx: Ctx, act: AuditAct, data: Record<string, unknown>): void =>
  recordAudit(ctx, { act, userId: ctx.actorId, by: ctx.actorId, data });

const notifyOfFactors = (ctx: Ctx, title: string, what: string): void =>
  sendSecurityNotice(ctx, title, what, { page: "/account/second-factor" });

const noSecondFactor = () => new DomainError("SECOND_FACTOR_NOT_FOUND", "No second factor is set up");

interface NewPasskey {
  readonly passkey_id: string;
  readonly name: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly synced: boolean;
}

const passkeyOf = (input: NewPasskey, createdAt: Date): Passkey => ({
  id: input.passkey_id,
  name: input.name,
  credentialId: input.credential_id,
  publicKey: input.public_key,
  counter: input.counter,
  transports: input.transports,
  synced: input.synced,
  createdAt,
  lastUsedAt: null,
});
