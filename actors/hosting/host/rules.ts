import {
  ENROLMENT_MS,
  type HostFacts,
  invalidEnrolment,
  type PreparedImage,
} from "../../../schemas/hosting/host.ts";

/** A one-time token by which a machine joins. */
interface Enrolment {
  readonly token_hash: string;
  /** ISO 8601 */
  readonly expires_at: string;
}

/** A machine as its actor holds it. */
export interface HostState {
  readonly name: string;
  readonly draining: boolean;
  readonly enrolment: Enrolment | null;
  /** The public key of its account at NATS; null: it has not joined by a token. */
  readonly account: string | null;
  /** The public key of its agent. */
  readonly publicKey: string | null;
  readonly enrolledAt: Date | null;
  /** Accounts that NATS must refuse, and that are not known to be refused yet. */
  readonly endedAccounts: readonly string[];
  readonly facts: HostFacts | null;
  readonly lastSeenAt: Date | null;
  /** Since when its agent misses pings; null: it answers. */
  readonly silentSince: Date | null;
  /** As its agent last reported them. */
  readonly preparedImages: readonly PreparedImage[];
  readonly removedAt: Date | null;
  readonly createdAt: Date;
}

export const newHost = (name: string, tokenHash: string, now: Date): HostState => ({
  name,
  draining: false,
  enrolment: newEnrolment(tokenHash, now),
  account: null,
  publicKey: null,
  enrolledAt: null,
  endedAccounts: [],
  facts: null,
  lastSeenAt: null,
  silentSince: null,
  preparedImages: [],
  removedAt: null,
  createdAt: now,
});

export const newEnrolment = (tokenHash: string, now: Date): Enrolment => ({
  token_hash: tokenHash,
  expires_at: new Date(now.getTime() + ENROLMENT_MS).toISOString(),
});

export interface Enrolled {
  readonly tokenHash: string;
  readonly account: string;
  readonly publicKey: string;
  readonly facts: HostFacts;
}

/**
 * The machine joins with its one-time token. A machine that joined before gets a new account, and the old one ends: whoever
 * has its key is out. @throws ENROLMENT_INVALID
 */
export function enrol(
  host: HostState,
  { tokenHash, account, publicKey, facts }: Enrolled,
  now: Date,
): HostState {
  const { enrolment } = host;
  const isGood =
    enrolment !== null && enrolment.token_hash === tokenHash && new Date(enrolment.expires_at) > now;
  if (!isGood) throw invalidEnrolment();
  return { ...endAccount(host), enrolment: null, account, publicKey, enrolledAt: now, facts };
}

export const remove = (host: HostState, now: Date): HostState => ({
  ...endAccount(host),
  enrolment: null,
  removedAt: now,
});

const endAccount = (host: HostState): HostState => ({
  ...host,
  account: null,
  publicKey: null,
  endedAccounts: host.account === null ? host.endedAccounts : [...host.endedAccounts, host.account],
});
