/** Someone whose money is moved. */
export interface Payer {
  readonly id: string;
  readonly token: string;
}

/** One try of a transfer and what came of it. */
export interface Attempt {
  readonly userId: string;
  readonly key: string;
  readonly amountCents: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Of the HTTP answer; 0 when there was none. */
  readonly status: number;
  readonly code: string | undefined;
  readonly replayed: boolean;
  /** What was answered to a transfer that was done, without `replayed`. */
  readonly receipt: { readonly general_balance: string } | undefined;
}

/** Every try of a run, in the order in which they ended. */
export type History = readonly Attempt[];

/** Nobody knows by this answer whether it was done: it is asked again under its key. */
export const isUnclear = ({ status }: Attempt): boolean => status === 0 || status === 503;

/** "12.34" to 1234. */
export const cents = (text: string): number => Math.round(Number(text) * 100);

/** A transfer that was done, as its actor counts: the version that it made, and what it left. */
export interface Done {
  readonly key: string;
  readonly version: number;
  readonly amountCents: number;
  readonly balanceCents: number;
}

/**
 * What is wrong with the order of one user's transfers: the balances must follow from each other in the order of the versions,
 * and a transfer that was answered before another one was asked for must come before it.
 */
export function orderFaults(beginCents: number, done: readonly Done[], attempts: History): string[] {
  const faults: string[] = [];
  const inOrder = done.toSorted((a, b) => a.version - b.version);
  let balance = beginCents;
  let before = -1;
  for (const { key, version, amountCents, balanceCents } of inOrder) {
    if (version === before) faults.push(`${key}: version ${version} was given twice`);
    if (balance - amountCents !== balanceCents) {
      faults.push(`${key}: ${balance} less ${amountCents} is not ${balanceCents}`);
    }
    before = version;
    balance = balanceCents;
  }
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  for (const { key, status, startMs, endMs } of attempts) {
    asked.set(key, Math.min(asked.get(key) ?? Number.POSITIVE_INFINITY, startMs));
    if (status === 200) answered.set(key, Math.min(answered.get(key) ?? Number.POSITIVE_INFINITY, endMs));
  }
  let firstAnswerMs = Number.POSITIVE_INFINITY;
  let firstAnswered = "";
  for (const { key } of inOrder.toReversed()) {
    if ((asked.get(key) ?? Number.NEGATIVE_INFINITY) > firstAnswerMs) {
      faults.push(`${key} comes before ${firstAnswered}, which was answered before it was asked for`);
    }
    const answeredMs = answered.get(key) ?? Number.POSITIVE_INFINITY;
    if (answeredMs < firstAnswerMs) {
      firstAnswerMs = answeredMs;
      firstAnswered = key;
    }
  }
  return faults;
}
