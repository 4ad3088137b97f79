import { FileError } from "../compose/file-error.ts";
import { BerthError } from "../errors.ts";
import { inWordsOf, type Words } from "./field-names.ts";
import { INTERRUPTED } from "./io.ts";

/** What the exit status of `berth` says. */
export const EXIT = { ok: 0, refused: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const;

/** The command was given wrongly, or lacks something that nobody is there to be asked for. */
export class UsageError extends Error {}

/** There is no valid credential for the control plane. */
export class NotSignedIn extends Error {}

/** The command itself refuses, without the API: a price above the given maximum, an answer of no. */
export class Refused extends Error {}

/** Ends with a status of its own, such as that of a program in a container. All has been said already. */
export class ExitStatus extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

export interface Failure {
  readonly status: number;
  /** Null: the command has already said all. */
  readonly message: string | null;
}

/** What to do next, by the code of a refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: "add money with `berth wallet top-up AMOUNT`",
  INSUFFICIENT_PERMISSIONS: "this credential does not have the permission: sign in as somebody who has it",
  SECOND_FACTOR_SETUP_REQUIRED: "set one up in the console, under Account",
  DEVICE_CODE_INVALID: "run `berth login --browser` again",
  QUOTA_EXCEEDED: "`berth quotas` lists your limits and their use",
  ACCOUNT_IN_USE: "`berth account blockers` lists what must end first",
  HOST_NOT_JOINED: "`berth servers list` says which of your servers are still being set up",
  SERVER_SMALLER_THAN_ORDERED: "choose a larger one, or add --accept-smaller",
  CONTAINER_NOT_RUNNING: "start it with `berth containers start`",
  PRECONDITION_FAILED: "somebody else changed it in the meantime: run the command again",
  CHARGE_EXCEEDS_MAX: "the price has changed: run the command again to see it",
  PROJECT_NOT_EMPTY: "delete its containers first",
  RATE_LIMITED: "wait a moment and run the command again",
};

const NO_GATEWAY = new Set([502, 503, 504]);

/** How a command that failed ends. @param command the one that ran: its refusal names its own options */
export function failureOf(error: unknown, command?: Words): Failure {
  if (error instanceof ExitStatus) return { status: error.status, message: null };
  if (error instanceof UsageError || error instanceof FileError)
    return { status: EXIT.usage, message: error.message };
  if (error instanceof NotSignedIn) return { status: EXIT.notSignedIn, message: error.message };
  if (error instanceof Refused) return { status: EXIT.refused, message: error.message };
  if (error instanceof BerthError) return refusal(error, command);
  const { name = "", code = "", path, message = String(error) } = error as Partial<SystemError>;
  if (name === "ExitPromptError" || name === "AbortError") return { status: INTERRUPTED, message: null };
  if (isUnreachable(name, code)) return { status: EXIT.unreachable, message };
  const ofFile = path === undefined ? undefined : FILE_ERRORS[code];
  return { status: EXIT.refused, message: ofFile === undefined ? message : `${path}: ${ofFile}` };
}

type SystemError = Error & { readonly code: string; readonly path: string };

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "you have no permission for it",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
};

/** As Bun and Node name a connection that failed. */
const isUnreachable = (name: string, code: string) =>
  name === "TimeoutError" ||
  /^(Connection|FailedToOpenSocket|ECONN|ENOTFOUND|EAI_|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_TLS|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|UND_ERR)/.test(
    code,
  );

function refusal(
  { status, code, message, requestId, data }: BerthError,
  command: Words | undefined,
): Failure {
  const lines = [`${inWordsOf(command, message)}${code === "UNKNOWN" ? "" : ` (${code})`}`];
  const advice = status === 401 ? "sign in with `berth login`" : ADVICE[code];
  if (advice !== undefined) lines.push(`  ${advice}`);
  if (requestId !== null) lines.push(`  request id: ${requestId}`);
  const text = lines.join("\n");
  if (status === 401) return { status: EXIT.notSignedIn, message: text };
  // Which orders a list has, only the API knows. A wrong one is a mistake in the command.
  if (data.field === "query.sort") return { status: EXIT.usage, message: text };
  const isAway = code === "UNKNOWN" && NO_GATEWAY.has(status);
  return { status: isAway ? EXIT.unreachable : EXIT.refused, message: text };
}
