import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Name, Text } from "../text.ts";
import { CurrentPassword } from "./security.ts";

/** Second factors: codes of an app, recovery codes and passkeys (docs/decisions/0064-second-factors.md). */

/** Some authenticators put a certificate into what they say; none says more than a few kilobytes. */
const BROWSER_TEXT_MAX = 16_384;
const Base64Url = Type.String({
  minLength: 1,
  maxLength: BROWSER_TEXT_MAX,
  pattern: "^[A-Za-z0-9_-]+$",
  description: "base64url",
});

const Challenge = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: "the challenge that this answers; good once, for five minutes",
});

/** Of `navigator.credentials.get()`. Browsers may add fields. */
export const PasskeyAssertion = Type.Object(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal("public-key"),
    response: Type.Object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Type.Optional(Nullable(Base64Url)),
    }),
    clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: "what `navigator.credentials.get()` gave, as `toJSON()` writes it" },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

/** Of `navigator.credentials.create()`. Browsers may add fields. */
export const PasskeyRegistration = Type.Object(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal("public-key"),
    response: Type.Object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
    }),
    clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: "what `navigator.credentials.create()` gave, as `toJSON()` writes it" },
);
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** Digits of a code of an app (RFC 6238). */
export const TOTP_DIGITS = 6;
const Code = Text({
  minLength: 1,
  maxLength: 40,
  description: "the six digits that the app shows now, or a recovery code. Each is good once",
});

/** A proof of the second factor: a code, or a passkey with its challenge. */
const Factor = { code: Type.Optional(Code), passkey: Type.Optional(PasskeyAssertion) };
const ProvenBy = {
  current_password: CurrentPassword,
  ...Factor,
  challenge: Type.Optional(Challenge),
};

/** Of changes that take the password, and the second factor where there is one. */
export const Proven = Strict(ProvenBy);
export type Proven = Static<typeof Proven>;

export const LoginSecondFactor = Strict({ challenge: Challenge, ...Factor });
export type LoginSecondFactor = Static<typeof LoginSecondFactor>;
export const LoginPasskey = Strict({ challenge: Challenge, passkey: PasskeyAssertion });
export type LoginPasskey = Static<typeof LoginPasskey>;

/** Options for the browser, which may get more fields with newer versions of WebAuthn. */
const BrowserOptions = (call: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: `for \`navigator.credentials.${call}()\`, as \`PublicKeyCredential.parse…FromJSON()\` reads it`,
  });

export const PasskeyChallenge = Type.Object({
  challenge: Type.String(),
  expires_at: Timestamp,
  options: BrowserOptions("get"),
});
export type PasskeyChallenge = Static<typeof PasskeyChallenge>;
export const PasskeyChallengeReply = Reply(PasskeyChallenge);

export const FactorMethod = OneOf(["totp", "passkey", "recovery_code"]);
export type FactorMethod = Static<typeof FactorMethod>;

/** `data` of SECOND_FACTOR_REQUIRED. */
export const SecondFactorChallenge = Type.Object({
  challenge: Type.String({ description: "for `POST /api/v1/auth/login/second-factor`" }),
  expires_at: Timestamp,
  methods: Type.Array(FactorMethod),
  options: Nullable(BrowserOptions("get")),
});
export type SecondFactorChallenge = Static<typeof SecondFactorChallenge>;

export const PasskeyName = Name(100);
export const PasskeyRecord = Type.Object({
  id: Id,
  name: Type.String(),
  synced: Type.Boolean({ description: "whether its owner's other devices may have it too" }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
export type PasskeyRecord = Static<typeof PasskeyRecord>;

export const SecondFactorStatus = Type.Object({
  enabled: Type.Boolean({ description: "whether the password alone does not sign in" }),
  required: Type.Boolean({ description: "whether the operator requires one of this account" }),
  totp: Nullable(Type.Object({ since: Timestamp })),
  passkeys: Type.Array(PasskeyRecord, { description: "oldest first, 20 at most" }),
  recovery_codes_left: Type.Integer(),
  passkey_origin: Nullable(
    Type.String({ description: "where passkeys work; null: this installation has no host name" }),
  ),
});
export type SecondFactorStatus = Static<typeof SecondFactorStatus>;
export const SecondFactorReply = Reply(SecondFactorStatus);

export const TotpSetupReply = Reply(
  Type.Object({
    secret: Type.String({ description: "base32, to type into the app" }),
    uri: Type.String({ description: "`otpauth://…`, for an app on the same device" }),
    qr_code: Type.String({ description: "`uri` as a picture to scan (SVG)" }),
    setup: Type.String({ description: "for `PUT /api/v1/auth/second-factor/totp`" }),
    expires_at: Timestamp,
  }),
);
export const EnableTotp = Strict({
  setup: Type.String({ minLength: 1, maxLength: 4_096 }),
  code: Text({ minLength: 1, maxLength: 40, description: "the six digits that the app shows now" }),
});

const RecoveryCodes = Type.Array(Type.String(), {
  description: "shown in this reply only; each is good once",
});
const Added = {
  recovery_codes: Nullable(
    Type.Unsafe<string[]>({
      ...RecoveryCodes,
      description: "with the first second factor; shown in this reply only",
    }),
  ),
  ended: Type.Integer({
    description: "the number of sessions that were begun without a second factor, and ended",
  }),
};
export const FactorAddedReply = Reply(Type.Object(Added));
export const RecoveryCodesReply = Reply(Type.Object({ recovery_codes: RecoveryCodes }));

export const PasskeyCreationReply = Reply(
  Type.Object({
    challenge: Type.String({ description: "for `POST /api/v1/auth/passkeys`" }),
    expires_at: Timestamp,
    options: BrowserOptions("create"),
  }),
);
export const CreatePasskey = Strict({
  challenge: Challenge,
  name: PasskeyName,
  passkey: PasskeyRegistration,
});
export const RenamePasskey = Strict({ name: PasskeyName });
export const PasskeyAddedReply = Reply(Type.Object({ id: Id, name: Type.String(), ...Added }));
