import { Type } from "@sinclair/typebox";
import { Email } from "../../../schemas/accounts/account.ts";
import { MailNotices, VERIFICATION_HOURS } from "../../../schemas/activity/mail.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Nullable, Strict } from "../../../schemas/primitives.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { type Context, command } from "../../runtime/definition.ts";
import { type Account, assertActive } from "./rules.ts";
import type { SecurityOptions } from "./security.ts";

type State = Account | null;
type Ctx = Context<State>;

const TokenHash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of a link's token" });
const Done = Type.Object({});

/** Where mail of an account goes, and which. */
export const mailCommands = ({ requireAccount }: Pick<SecurityOptions, "requireAccount">) => ({
  /** What is left out stays. */
  set_mail_notices: command(
    Strict(Type.Partial(MailNotices).properties),
    Done,
    (state: State, wanted, ctx: Ctx) => {
      const account = requireAccount(state);
      ctx.setState({ ...account, mailNotices: { ...account.mailNotices, ...wanted } });
      return {};
    },
  ),

  /** Asks for another link, where the address is not verified. */
  request_email_verification: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
    if (requireAccount(state).emailVerifiedAt === null)
      requestMail(ctx, { kind: "verification", user_id: ctx.actorId });
    return {};
  }),

  /** A link for whoever reads mail at the address; `expires_at` null: it is verified, or another by now. */
  open_email_verification: command(
    Strict({ token_hash: TokenHash, email: Email }),
    Type.Object({ expires_at: Nullable(Type.String()) }),
    (state: State, { token_hash, email }, ctx: Ctx) => {
      const account = requireAccount(state);
      assertActive(account);
      if (account.email !== email || account.emailVerifiedAt !== null) return { expires_at: null };
      const expires_at = new Date(ctx.now.getTime() + VERIFICATION_HOURS * 3_600_000).toISOString();
      ctx.setState({ ...account, emailVerification: { token_hash, expires_at } });
      return { expires_at };
    },
  ),

  /** Whoever has the link reads mail at the address. A link that was used is kept, so that it says so when it is opened again. @throws RECOVERY_INVALID */
  verify_email: command(Strict({ token_hash: TokenHash }), Done, (state: State, { token_hash }, ctx: Ctx) => {
    const account = requireAccount(state);
    const { emailVerification: link, emailVerifiedAt } = account;
    const isOfAddress = link !== null && link.token_hash === token_hash;
    if (isOfAddress && emailVerifiedAt !== null) return {};
    if (!isOfAddress || new Date(link.expires_at) <= ctx.now)
      throw new DomainError(
        "RECOVERY_INVALID",
        "The link was used or replaced, or has expired: ask for another one",
      );
    ctx.setState({ ...account, emailVerifiedAt: ctx.now });
    return {};
  }),
});
