import { createHash } from "node:crypto";
import type { CertificatePurpose, Challenge } from "../../../schemas/hosting/certificate.ts";
import { ID_LENGTH } from "../../../schemas/primitives.ts";
import { backoffMs } from "../../../system/backoff.ts";

export interface AcmeAccountState {
  readonly directoryUrl: string;
  readonly sealedKey: string;
  readonly createdAt: Date;
}

export interface CertificateState {
  readonly name: string;
  readonly purpose: CertificatePurpose;
  readonly userId: string | null;
  readonly chain: string | null;
  readonly sealedKey: string | null;
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  /** When the next order begins. */
  readonly dueAt: Date;
  /** Of orders since the last success. */
  readonly failures: number;
  readonly error: string | null;
  readonly challenge: Challenge | null;
  readonly createdAt: Date;
}

export interface Issued {
  readonly chain: string;
  readonly sealedKey: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Below the limits of public authorities, which take five failed proofs of a name in an hour. */
const FIRST_RETRY_MS = 5 * 60_000;
const RETRY_MS_MAX = 12 * 60 * 60_000;
/** The reason of an authority is a sentence or two. */
const ERROR_LENGTH_MAX = 500;

/** The id of what is kept for a name or an address. */
export const idOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, ID_LENGTH);

/** A certificate that is ordered at once. */
export const wanted = (
  name: string,
  purpose: CertificatePurpose,
  userId: string | null,
  now: Date,
): CertificateState => ({
  name,
  purpose,
  userId,
  chain: null,
  sealedKey: null,
  notBefore: null,
  notAfter: null,
  dueAt: now,
  failures: 0,
  error: null,
  challenge: null,
  createdAt: now,
});

/** At two thirds of its life, which leaves a month of a certificate for three. */
export const renewalOf = (notBefore: Date, notAfter: Date): Date =>
  new Date(notBefore.getTime() + ((notAfter.getTime() - notBefore.getTime()) * 2) / 3);

export const withIssued = (state: CertificateState, issued: Issued): CertificateState => ({
  ...state,
  ...issued,
  dueAt: renewalOf(issued.notBefore, issued.notAfter),
  failures: 0,
  error: null,
  challenge: null,
});

/** A certificate that is still valid stays in use. */
export const withFailure = (state: CertificateState, error: string, now: Date): CertificateState => ({
  ...state,
  dueAt: new Date(now.getTime() + backoffMs(state.failures, FIRST_RETRY_MS, RETRY_MS_MAX)),
  failures: state.failures + 1,
  error: error.slice(0, ERROR_LENGTH_MAX),
  challenge: null,
});
