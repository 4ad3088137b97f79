/** What every part of a start may be started again after: what was done already is found there. */
const AGAIN =
  "see that it runs and that this machine is not overloaded, and start again, which goes on from there";

/** Codes of the clients of NATS and PostgreSQL for no answer in time. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  TIMEOUT: "NATS",
  CONNECTION_TIMEOUT: "NATS",
  CONNECT_TIMEOUT: "PostgreSQL",
};

/** Why a program did not start, as one line for the operator. Undefined for a fault of the program, which needs its stack. */
export function startFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const what = lateServer(error) ?? lateServer(error.cause);
  if (what !== undefined) return `${what} did not answer in time (${reasonOf(error)}): ${AGAIN}`;
  // A plain Error, or one of a setting, is meant for the operator.
  return ["Error", "SettingError"].includes(error.name) ? error.message : undefined;
}

const lateServer = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? TIMEOUTS[String(error.code)] : undefined;

/** The clients' own texts are codes, or begin like one. */
const reasonOf = ({ message }: Error): string => message.split("\n", 1)[0] ?? message;
