import type { ExecTarget } from "../exec/target.ts";
import type { DisplayStart } from "../exec/x-display.ts";
import type { PtyStore } from "./session/adopt.ts";
import type { SshOptions } from "./ssh/connect.ts";

/** The rights of an admitted caller. */
export interface Authorization {
  /** The caller may only watch. */
  readonly readonly: boolean;
  /** The user of the credential, if known. */
  readonly user?: string | undefined;
}

export interface TerminalOptions {
  /** The machine on which sessions run. */
  readonly target: ExecTarget;
  /** Returns the caller's rights, or the response to a caller without access. */
  readonly authorize: (request: Request) => Authorization | Response | Promise<Authorization | Response>;
  /** The origin of this service for a request, such as `https://…`; null if the address is not the service's own. */
  readonly origin: (request: Request) => string | null;
  /** The origin of a trusted page that shows the terminal in a frame, and starts sessions without a question; by default there is none. */
  readonly framedBy?: (request: Request) => string | null;
  readonly ssh: SshOptions;
  /** Whether `arg` in the address is passed to the shell. */
  readonly urlArg?: boolean;
  /** The command of sessions whose address names no shell; by default the login shell of the user's account. */
  readonly startupCommand?: readonly string[];
  /** The `SERVICE_*` variables for shells. */
  readonly serviceEnv?: Readonly<Record<string, string>>;
  /** The URL of a display; null if there is none. */
  readonly displayUrl?: (display: number, request: Request) => string | null;
  /** Whether the X server of a display responds. */
  readonly isDisplayReady?: (display: number) => Promise<boolean>;
  /**
   * Makes sure that an X server has a display, for whoever is sent there or has a desktop on it; by default somebody else has to start it. Throws DisplayError
   * when it cannot.
   */
  readonly ensureDisplay?: (display: number, start: Omit<DisplayStart, "isShared">) => Promise<void>;
  readonly displayMsMax?: number;
  /** How long a file transfer may stall. */
  readonly fileMsMax?: number;
  readonly specificationFile?: string;
  /** Called when a session was started, and not when an existing one is shown. */
  readonly opened?: (terminalId: number, who: Authorization) => void;
  /** Keeps the sessions while this process is down; without it they end with this process. */
  readonly ptyStore?: PtyStore;
  /** Receives internal errors, which contain no secrets. */
  readonly report?: (error: unknown) => void;
}
