/**
 * The paths of the console's pages. The gateway serves the console for each of them and for what is below it; which page it is, the
 * router in the browser decides. `/` is the console's as well.
 */
export const CONSOLE_PATHS = [
  "/sign-in",
  "/sign-up",
  "/containers",
  "/marketplace",
  "/servers",
  "/wallet",
  "/names",
  "/storage",
  "/pools",
  "/projects",
  "/images",
  "/events",
  "/inbox",
  "/account",
  "/device",
  "/operator",
] as const;

/** What belongs to the console and is no page: its files and its session. */
export const ASSETS_PATH = "/console/assets";
export const SESSION_PATH = "/console/session";

/** The authority of the certificates of containers' addresses, as a file to download. */
export const AUTHORITY_PATH = "/api/v1/certificate-authority";

/** A page without scripts: where a link that sets a new password is asked for, and below which it leads. */
export const RECOVER_PATH = "/recover";
