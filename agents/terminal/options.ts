import type { ExecTarget } from "../exec/target.ts";
import type { PtyStore } from "./session/adopt.ts";
import type { SshOptions } from "./ssh/connect.ts";

/** What somebody who may enter may do. */
export interface Authorization {
  /** Watch, and nothing else. */
  readonly readonly: boolean;
  /** Whose credential let them in, where that is known. */
  readonly user?: string | undefined;
}

export interface TerminalOptions {
  /** Where sessions run. */
  readonly target: ExecTarget;
  /** Who may enter: what they may do, or the answer that they get instead. */
  readonly authorize: (request: Request) => Authorization | Response | Promise<Authorization | Response>;
  /** The origin under which a request reached this service, such as `https://…`; null when it is not its own. */
  readonly origin: (request: Request) => string | null;
  readonly ssh: SshOptions;
  /** Whether `arg` in the address is passed to the shell. */
  readonly urlArg?: boolean;
  /** What a session runs whose address names no shell; by default the user's own shell, as its account has it. */
  readonly startupCommand?: readonly string[];
  /** The `SERVICE_*` variables for shells. */
  readonly serviceEnv?: Readonly<Record<string, string>>;
  /** Where a display can be looked at; null when that is not known. */
  readonly displayUrl?: (display: number, request: Request) => string | null;
  /** Whether the X server of a display answers. */
  readonly isDisplayReady?: (display: number) => Promise<boolean>;
  readonly displayMsMax?: number;
  /** How long nothing of a file may move. */
  readonly fileMsMax?: number;
  readonly specificationFile?: string;
  /** A session was started, not only shown. */
  readonly opened?: (terminalId: number, who: Authorization) => void;
  /** What holds its sessions while this process is away; without it they end with this process. */
  readonly ptyStore?: PtyStore;
  /** Takes what went wrong inside; no secret is ever in it. */
  readonly report?: (error: unknown) => void;
}
