import { createClient } from "../index.ts";
import packageJson from "../package.json" with { type: "json" };
import { Refused, UsageError } from "./failures.ts";
import type { Io } from "./io.ts";
import { money } from "./output/format.ts";
import { type OutputOptions, Printer } from "./output/print.ts";
import { Session } from "./session/session.ts";

export type Api = ReturnType<typeof createClient>;

/** Options that every command takes. */
export interface GlobalOptions extends OutputOptions {
  readonly context?: string | undefined;
  readonly yes?: true | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Of one request. A command may wait for a person or a host between its requests. */
const DEADLINE_MS = 30_000;

/** What the list of sessions shows. */
const PROGRAM = `berth/${packageJson.version} (${process.platform})`;

/** What a command works with: the API as its user, the output, and the questions to the user. */
export class Cli {
  readonly session: Session;
  readonly print: Printer;
  #api: Promise<Api> | undefined;
  #changes = 0;
  readonly #invocation = crypto.randomUUID();

  constructor(
    readonly io: Io,
    readonly options: () => GlobalOptions,
  ) {
    this.session = new Session(io, () => options().context);
    this.print = new Printer(io, options);
  }

  /** The API as the user who is signed in. @param deadlineMs for a request that lasts as long as what it does @throws NotSignedIn */
  api(deadlineMs?: number): Promise<Api> {
    if (deadlineMs !== undefined) return this.#connect(deadlineMs);
    this.#api ??= this.#connect(DEADLINE_MS);
    return this.#api;
  }

  /** The API without a credential: to sign in. */
  async anonymous(url?: string): Promise<Api> {
    return this.#client(url ?? (await this.session.context()).context.url, DEADLINE_MS);
  }

  /** Asks before something is done that cannot be undone. @throws Refused, UsageError where nobody can be asked */
  async confirm(question: string): Promise<void> {
    if (this.options().yes) return;
    if (!this.io.isInteractive) throw new UsageError(`${question} Give --yes to do it.`);
    const { confirm } = await import("@inquirer/prompts");
    if (!(await confirm({ message: question, default: false }, this.#prompt())))
      throw new Refused("nothing was done");
  }

  /** Shows a price and asks. @param maxCents what the user said is the most, in dollars */
  async confirmPrice(what: string, cents: number, maxDollars: string | undefined): Promise<void> {
    const max = maxDollars === undefined ? undefined : centsOf(maxDollars);
    this.print.note(`${what}: ${money(cents)}`);
    if (max !== undefined && cents > max)
      throw new Refused(`it costs ${money(cents)}, which is more than --max-charge ${money(max)}`);
    await this.confirm(`Pay ${money(cents)}?`);
  }

  /** One of several things that a name may mean. */
  async choose<Value>(question: string, choices: readonly { name: string; value: Value }[]): Promise<Value> {
    if (!this.io.isInteractive)
      throw new UsageError(`${question} Give an id:\n${choices.map(({ name }) => `  ${name}`).join("\n")}`);
    const { select } = await import("@inquirer/prompts");
    return select({ message: question, choices }, this.#prompt());
  }

  async ask(question: string, option: string): Promise<string> {
    if (!this.io.isInteractive) throw new UsageError(`give ${option}`);
    const { input } = await import("@inquirer/prompts");
    return input({ message: question }, this.#prompt());
  }

  async askSecret(question: string, option: string): Promise<string> {
    if (!this.io.isInteractive) throw new UsageError(`give ${option}`);
    const { password } = await import("@inquirer/prompts");
    return password({ message: question, mask: "*" }, this.#prompt());
  }

  /** Questions go where errors go, so that the result can be piped. */
  #prompt = () => ({ output: process.stderr, signal: this.io.interrupted });

  async #connect(deadlineMs: number): Promise<Api> {
    const token = () => this.session.token();
    await token();
    return this.#client((await this.session.context()).context.url, deadlineMs, token);
  }

  #client(url: string, deadlineMs: number, token?: () => Promise<string>): Api {
    const client = createClient({ url, deadlineMs, ...(token === undefined ? {} : { token }) });
    client.use({
      onRequest: ({ request }) => {
        request.headers.set("user-agent", PROGRAM);
        // Ctrl-C ends a read at once. A change is awaited: whether it was made must be known.
        if (request.method === "GET") return new Request(request, { signal: this.io.interrupted });
        request.headers.set("idempotency-key", this.#nextKey());
        return request;
      },
    });
    return client;
  }

  /** One key for an invocation; a command that makes several changes numbers them, in an order that is always the same. */
  #nextKey(): string {
    const key = this.options().idempotencyKey ?? this.#invocation;
    return ++this.#changes === 1 ? key : `${key}-${this.#changes}`;
  }
}

/** Dollars as text, `25` or `25.50`. @throws UsageError */
export function centsOf(dollars: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(dollars))
    throw new UsageError(`"${dollars}" is not an amount such as 25 or 25.50`);
  return Math.round(Number(dollars) * 100);
}
