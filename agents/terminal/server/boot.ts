import type { Appearance } from "../parameters/parse.ts";

/** What the page needs before its first script runs. It contains no secret of the request. */
export interface Boot {
  readonly id: number;
  readonly token: string;
  /** Paths of this service. */
  readonly socket: string;
  readonly sessions: string;
  readonly readonly: boolean;
  /** The origin of the page around this one, which is told how the session is; null where there is none that may know. */
  readonly framedBy: string | null;
  readonly appearance: Appearance;
  /** Parameters that the page removes from the address: secrets, and actions that must happen only once. */
  readonly forget: readonly string[];
}
