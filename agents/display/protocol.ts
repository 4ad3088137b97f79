/** Between the page of a display and its server: paths, and why a WebSocket is closed. */

export const SOCKET_PATH = "/api/v1/display/ws";
export const ASSETS_PATH = "/api/v1/display/assets/";

/** Codes of a close, whose reason is for people. */
export const CLOSE = {
  /** The display cannot be shown until somebody changes something. */
  unavailable: 4404,
  crowded: 4429,
  refused: 4400,
  /** Its server has ended, or cannot be reached now. */
  ended: 4503,
} as const;

/** What the page is told. */
export interface Boot {
  readonly display: number;
  readonly readonly: boolean;
}
