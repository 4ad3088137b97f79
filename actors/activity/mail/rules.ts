import { MAILED_LINK_MINUTES, type MailKind } from "../../../schemas/activity/mail.ts";
import { backoffMs } from "../../../system/backoff.ts";

/** The wait after the first failed attempt, doubled with each further one, up to the longest. */
const RETRY_MS_MAX = 60 * 60 * 1000;

export interface MailTimes {
  readonly firstRetryMs: number;
  /** After so long no further attempt is made. */
  readonly giveUpMs: number;
}

/** Who asks for a link has asked again, or has left, before this. */
const LINK_MS = MAILED_LINK_MINUTES * 60_000;

/** The wait before the next attempt; undefined: the mail is given up. */
export function retryAfterMs(
  { kind, attempts, firstAttemptAt }: { kind: MailKind; attempts: number; firstAttemptAt: Date },
  now: Date,
  { firstRetryMs, giveUpMs }: MailTimes,
): number | undefined {
  const wait = backoffMs(attempts - 1, firstRetryMs, RETRY_MS_MAX);
  const most = kind === "recovery" ? Math.min(giveUpMs, LINK_MS) : giveUpMs;
  return now.getTime() + wait - firstAttemptAt.getTime() > most ? undefined : wait;
}

/** What an error of the mail server means. */
export interface Failure {
  /** For the log: the server's code and no text of it, which may name what it was told. */
  readonly reason: string;
  /** The server will never take this mail; any other failure may pass. */
  readonly isFinal: boolean;
}

/** Codes about a mail or its recipient, of RFC 5321 §4.2.2 and RFC 3463. What a server says of us, such as 530 or 535, an operator can change. */
const FINAL_CODES = new Set([550, 551, 553, 554, 556]);

/** @param error of nodemailer: `responseCode` is the server's, `code` its own, `command` what was said last */
export function failureOf(error: unknown): Failure {
  const { responseCode, code, command } = (error ?? {}) as Record<string, unknown>;
  const after = typeof command === "string" && command !== "CONN" ? ` after ${command}` : "";
  if (typeof responseCode === "number")
    return {
      reason: `the mail server answered ${responseCode}${after}`,
      isFinal: command === "RCPT TO" && FINAL_CODES.has(responseCode),
    };
  return {
    reason: `the mail server could not be used: ${typeof code === "string" ? code : "failed"}${after}`,
    isFinal: false,
  };
}
