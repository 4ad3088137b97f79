import { Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Strict, Timestamp } from "../primitives.ts";
import { Name, Text } from "../text.ts";
import { Email, Password } from "./account.ts";

/** Changes of what an account is entered with (docs/decisions/0054-account-security.md). */

export const CurrentPassword = Text({ minLength: 1, maxLength: 256, description: "the present password" });

export const ChangePassword = Strict({ current_password: CurrentPassword, new_password: Password });
export const ChangeEmail = Strict({ current_password: CurrentPassword, email: Email });

export const PasswordChangedReply = Reply(
  Type.Object({ ended: Type.Integer({ description: "the number of ended sessions" }) }),
);

export const StartRecovery = Strict({ reason: Name(500) });
export const RECOVERY_TOKEN = /^([0-9a-f]{24})\.([A-Za-z0-9_-]{43})$/;
const RecoveryToken = Type.String({
  pattern: RECOVERY_TOKEN.source,
  description: "the token of a recovery link",
});
export const Recover = Strict({ token: RecoveryToken, new_password: Password });
export const VerifyEmail = Strict({ token: RecoveryToken });
export const RequestRecovery = Strict({ email: Email });
/** The token in the address of a page. A mail may have cut it: the page says so, which a path that is not found does not. */
export const LinkParams = Strict({ token: Type.String() });

export const RecoveryStartedReply = Reply(
  Type.Object({
    url: Type.String({ description: "the page on which the user sets a new password; good once" }),
    token: Type.String({ description: "the same for `POST /api/v1/auth/recover`; shown in this reply only" }),
    expires_at: Timestamp,
  }),
);
