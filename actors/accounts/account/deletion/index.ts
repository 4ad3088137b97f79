import { type Static, Type } from "@sinclair/typebox";
import type { AccountBlocker } from "../../../../schemas/accounts/deletion.ts";
import { DomainError } from "../../../../schemas/errors.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../../schemas/primitives.ts";
import { Name } from "../../../../schemas/text.ts";
import type { walletActor } from "../../../billing/wallet/index.ts";
import { fromCents, moneyText } from "../../../platform/money.ts";
import { operatorCommand } from "../../../platform/operator-command.ts";
import { recordAudit, recordPrivilegedAct } from "../../../platform/record-audit.ts";
import { type Conflict, type Context, command } from "../../../runtime/definition.ts";
import { messagesTo } from "../../../runtime/transport/message.ts";
import type { tokenActor } from "../../token/index.ts";
import { useProof } from "../factors/index.ts";
import { Address, PasswordHash, ProofInput } from "../factors/inputs.ts";
import { type Account, assertPasswordIs, deleteAccount } from "../rules.ts";
import type { SecurityOptions } from "../security.ts";

type State = Account | null;
type Ctx = Context<State>;

const tokens = messagesTo<typeof tokenActor>("token");
const wallets = messagesTo<ReturnType<typeof walletActor>>("wallet");

/** The most of the balance that may be given up, in cents. */
const ForfeitCents = Type.Integer({ minimum: 0 });
const DeleteInput = Strict({
  current_hash: PasswordHash,
  proof: Nullable(ProofInput),
  address: Address,
  forfeit_cents: ForfeitCents,
});
const Deleted = Type.Object({ deleted_at: Timestamp, ended: Type.Array(Id) });

/** What is in the way is known to the database alone: a trigger looks for it in the commit of the deletion, with what comes in between kept out. */
export const deletionConflicts: Record<string, Conflict> = {
  account_blockers: (detail) => {
    const found: AccountBlocker[] = JSON.parse(detail);
    // PostgreSQL writes times in another form of ISO 8601 than the API.
    const blockers = found.map((one) => ({ ...one, until: one.until && new Date(one.until).toISOString() }));
    const kinds = [...new Set(blockers.map(({ kind }) => kind.replace("_", " ")))].join(", ");
    return new DomainError("ACCOUNT_IN_USE", `The account is in use (${kinds}): end that first`, {
      blockers,
    });
  },
  account_balance: (cents) => {
    const general_balance = fromCents(BigInt(cents));
    return new DomainError(
      "BALANCE_LEFT",
      `The account has ${moneyText(general_balance)}: spend it, or give it up by forfeit_balance`,
      { field: "body.forfeit_balance", general_balance },
    );
  },
  account_last_administrator: {
    code: "LAST_ADMINISTRATOR",
    message:
      "This is the last administrator: make another one first, by PATCH /api/v1/admin/users/{id} or by the command `berth admin promote`",
  },
};

/** An account is deleted, by its user or by an administrator. Its record stays with its id, for the books (docs/decisions/0080-deleted-accounts.md). */
export const deletionCommands = ({ requireAccount, revoke }: SecurityOptions) => {
  /** Ends what the account holds itself. The rest is sent, or ended by the reconciler. */
  function end(ctx: Ctx, before: Account, byId: string, cents: number): Static<typeof Deleted> {
    const at = ctx.now.toISOString();
    const deletion = { at, by_id: byId, forfeited_cents: cents, tidied: false };
    const { account, ended } = deleteAccount(before, ctx.actorId, deletion);
    ctx.setState(account);
    for (const { id } of before.passkeys) ctx.remove("passkeys", { id });
    if (ended.length > 0) revoke(ctx, ended, "account deleted", byId);
    ctx.send("end-tokens:deletion", tokens(ctx.actorId).revoke_all({ by_id: byId }));
    if (cents > 0) ctx.send("forfeit", wallets(ctx.actorId).forfeit({ amount_cents: cents }));
    return { deleted_at: at, ended: ended.map(({ id }) => id) };
  }

  return {
    delete: command(
      DeleteInput,
      Deleted,
      (state: State, input, ctx: Ctx) => {
        const before = requireAccount(state);
        assertPasswordIs(before, input.current_hash);
        const { forfeit_cents, address } = input;
        const deleted = end(ctx, useProof(ctx, before, input.proof), ctx.actorId, forfeit_cents);
        recordAudit(ctx, {
          act: "account_deleted",
          userId: ctx.actorId,
          by: ctx.actorId,
          data: { address, forfeit_balance: fromCents(BigInt(forfeit_cents)) },
        });
        return deleted;
      },
      // A repeated request has another proof.
      { fingerprint: ({ forfeit_cents }) => `${forfeit_cents}` },
    ),

    /** @throws INSUFFICIENT_PERMISSIONS for an administrator: nobody takes another's power */
    delete_by_operator: operatorCommand(
      Strict({ reason: Name(500), forfeit_cents: ForfeitCents }),
      Deleted,
      (state: State, { reason, forfeit_cents }, ctx: Ctx, operator) => {
        const before = requireAccount(state);
        if (before.role === "admin")
          throw new DomainError("INSUFFICIENT_PERMISSIONS", "Administrators are not deleted by others");
        const deleted = end(ctx, before, operator?.id ?? ctx.actorId, forfeit_cents);
        const data = { reason, forfeit_balance: fromCents(BigInt(forfeit_cents)) };
        recordPrivilegedAct(ctx, operator, { act: "account_deleted", userId: ctx.actorId, data });
        return deleted;
      },
    ),

    /** Everything that ends with the account has ended. */
    record_tidied: command(Strict({}), Type.Object({}), (state: State, _input, ctx: Ctx) => {
      if (state?.deletion && !state.deletion.tidied)
        ctx.setState({ ...state, deletion: { ...state.deletion, tidied: true } });
      return {};
    }),
  };
};
