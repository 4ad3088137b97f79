import type { Io } from "../../../client/cli/io.ts";
import { main } from "../../../client/cli/program.ts";
import { operatorCommands } from "../../../scripts/operator-commands.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import type { StackAddress, TestUser } from "../../harness/stack-client.ts";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every form
  readonly json: any;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with all that was written so far. */
  readonly onOut?: (text: string) => void;
  /** The same of messages. */
  readonly onErr?: (text: string) => void;
  readonly columns?: number;
  /** With the commands that only the repository has. */
  readonly operators?: boolean;
}

/** The command line in this process, as a user of a stack. Without a user, nobody is signed in. */
export function commandLine(stack: Pick<StackAddress, "url">, user?: Pick<TestUser, "token">) {
  const folder = temporaryFolder();
  const own = {
    BERTH_URL: stack.url,
    BERTH_CONFIG_DIR: folder,
    BERTH_KEYRING: "off",
    ...(user === undefined ? {} : { BERTH_TOKEN: user.token }),
  };
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const written = { out: "", err: "" };
    const decoder = new TextDecoder();
    const io: Io = {
      env: { ...own, ...options.env },
      out: (text) => {
        written.out += typeof text === "string" ? text : decoder.decode(text, { stream: true });
        options.onOut?.(written.out);
      },
      err: (text) => {
        written.err += text;
        options.onErr?.(written.err);
      },
      input: () => new Blob([options.input ?? ""]).stream() as ReadableStream<Uint8Array>,
      isInteractive: false,
      columns: options.columns,
      interrupted: options.signal ?? new AbortController().signal,
    };
    const status = await main(argv, io, options.operators ? [operatorCommands] : []);
    return {
      status,
      ...written,
      get json() {
        return JSON.parse(written.out);
      },
    };
  };
  /** A command that must succeed, by its words: `ok("projects list")`. */
  const ok = async (line: string, options: RunOptions = {}): Promise<Ran> => {
    const ran = await run(wordsOf(line), options);
    if (ran.status !== 0) throw new Error(`berth ${line}: ${ran.status}\n${ran.out}${ran.err}`);
    return ran;
  };
  return { run: (line: string, options?: RunOptions) => run(wordsOf(line), options), ok, folder };
}

/** Words of a line; quotes hold blanks together. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
