import type { Appearance } from "../parameters/parse.ts";

/** What the page needs to know before its first script runs. No secret of the request is among it. */
export interface Boot {
  readonly id: number;
  readonly token: string;
  /** Paths of this service. */
  readonly socket: string;
  readonly sessions: string;
  readonly readonly: boolean;
  readonly appearance: Appearance;
  /** Parameters that are taken out of the address: secrets, and what happens once. */
  readonly forget: readonly string[];
}
