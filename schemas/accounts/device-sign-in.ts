import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Name, Text } from "../text.ts";

/** Sign-ins of programs that a person approves in the console (RFC 8628, docs/decisions/0065-device-sign-in.md). */

/** Seconds. A program that waits asks this often. */
export const DEVICE_POLL_SECONDS = 2;
/** Long enough to sign in on another machine first. */
export const DEVICE_CODE_SECONDS = 10 * 60;

export const ClientName = Name(100);
export const BeginDeviceSignIn = Strict({ client_name: ClientName });

/** Without vowels, so that no words appear, and without letters that are mistaken for others (RFC 8628 §6.1). */
export const USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const UserCode = Text({
  minLength: 8,
  maxLength: 20,
  pattern: "^[\\sA-Za-z-]+$",
  description: "eight letters, in any case and with or without the hyphen",
});
export const UserCodeParams = Strict({ user_code: UserCode });

export const DEVICE_CODE = /^([0-9a-f]{24})\.([A-Za-z0-9_-]{43})$/;
export const RedeemDeviceCode = Strict({
  device_code: Type.String({ pattern: DEVICE_CODE.source, description: "the program's own code" }),
});

export const DeviceSignInBegunReply = Reply(
  Type.Object({
    device_code: Type.String({
      description: "for `POST /api/v1/auth/device/token`; nobody else may know it",
    }),
    user_code: Type.String({ description: "what the person sees here and in the console" }),
    verification_uri: Type.String({ description: "where the person approves it" }),
    verification_uri_complete: Type.String({ description: "the same with the code" }),
    expires_in: Type.Integer({ description: "seconds" }),
    interval: Type.Integer({ description: "seconds between two requests of the program" }),
  }),
);

export const DeviceSignInStatus = OneOf(["pending", "approved", "denied", "redeemed"]);
export type DeviceSignInStatus = Static<typeof DeviceSignInStatus>;

/** What a person sees before the approval. */
export const DeviceSignIn = Type.Object({
  user_code: Type.String(),
  client_name: Type.String({ description: "as the program names itself" }),
  address: Nullable(Type.String({ description: "from where the program asks" })),
  user_agent: Nullable(Type.String()),
  status: DeviceSignInStatus,
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type DeviceSignIn = Static<typeof DeviceSignIn>;
export const DeviceSignInReply = Reply(DeviceSignIn);

/** Who approved a sign-in, in which session, and how often all sessions of the account had been ended by then. */
export const Approval = Type.Object({ user_id: Id, session_id: Id, sessions_epoch: Type.Integer() });
export type Approval = Static<typeof Approval>;
