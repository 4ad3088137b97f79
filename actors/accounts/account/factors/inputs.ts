import { type Static, Type } from "@sinclair/typebox";
import { Id, Nullable, Strict } from "../../../../schemas/primitives.ts";

/** Parts of the messages about second factors. */

/** Made by the gateway: hashing takes far too long for a handler. */
export const PasswordHash = Type.String({ maxLength: 512 });
export const Address = Nullable(Type.String({ maxLength: 64 }));
export const CodeHash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of a recovery code" });
export const CodeHashes = Type.Array(CodeHash, { maxItems: 20 });

/** A proof of the second factor that the gateway has verified. The account uses it once. */
export const ProofInput = Type.Union([
  Strict({ by: Type.Literal("totp"), sealed: Type.String(), step: Type.Integer() }),
  Strict({ by: Type.Literal("recovery_code"), hash: CodeHash }),
  Strict({ by: Type.Literal("passkey"), passkey_id: Id, counter: Type.Integer() }),
]);

/** How somebody has shown that the account is theirs. */
export const Entry = Type.Union([
  Strict({ by: Type.Literal("password"), password_hash: PasswordHash, proof: Nullable(ProofInput) }),
  /** A passkey whose authenticator has verified the person is enough. */
  Strict({ by: Type.Literal("passkey"), proof: ProofInput }),
  /** The user approved it in this session, and before no later end of all sessions. */
  Strict({ by: Type.Literal("device"), session_id: Id, sessions_epoch: Type.Integer() }),
]);
export type Entry = Static<typeof Entry>;
