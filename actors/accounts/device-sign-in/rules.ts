import type { DeviceSignInStatus } from "../../../schemas/accounts/device-sign-in.ts";
import { DomainError } from "../../../schemas/errors.ts";

/** A program that waits until a person approves it. */
export interface DeviceSignInState {
  readonly secretHash: string;
  readonly userCode: string;
  readonly clientName: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly status: DeviceSignInStatus;
  /** Who approved or denied it. */
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** How often all sessions of the account had been ended by then. */
  readonly sessionsEpoch: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

type State = DeviceSignInState | null;

/** Who decides about a sign-in. */
export interface Decider {
  readonly userId: string;
  readonly sessionId: string;
  readonly sessionsEpoch: number;
}

/**
 * The sign-in after a person has decided. The same person may decide the same again, and take an approval back until the
 * program was let in.
 *
 * @throws DEVICE_CODE_INVALID where it was decided otherwise, or has expired
 */
export function decide(
  state: State,
  status: "approved" | "denied",
  by: Decider,
  now: Date,
): DeviceSignInState {
  const waiting = requireGood(state, now);
  if (waiting.status === "pending") return { ...waiting, ...by, status };
  if (waiting.userId !== by.userId) throw invalidDeviceCode();
  if (waiting.status === "approved" && status === "denied") return { ...waiting, ...by, status };
  if (waiting.status !== status) throw invalidDeviceCode();
  return waiting;
}

/** The sign-in after its program was let in: once. @throws DEVICE_CODE_INVALID */
export function redeem(state: State, secretHash: string, now: Date): DeviceSignInState & Decider {
  const approved = requireGood(state, now);
  const { status, userId, sessionId, sessionsEpoch } = approved;
  if (approved.secretHash !== secretHash || status !== "approved") throw invalidDeviceCode();
  if (userId === null || sessionId === null || sessionsEpoch === null) throw invalidDeviceCode();
  return { ...approved, status: "redeemed", userId, sessionId, sessionsEpoch };
}

function requireGood(state: State, now: Date): DeviceSignInState {
  if (state === null || state.expiresAt <= now) throw invalidDeviceCode();
  return state;
}

export const invalidDeviceCode = () =>
  new DomainError("DEVICE_CODE_INVALID", "The code was used or has expired: begin again in the program");
