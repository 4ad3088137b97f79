import type { TerminalRequest } from "../parameters/parse.ts";
import type { Boot } from "./boot.ts";
import { SEEN_COOKIE } from "./fetch-metadata.ts";
import { htmlResponse, jsonForScript } from "./html.ts";
import { SECRETS } from "./plain-page.ts";

/** Parameters removed from the address once the page has loaded: secrets, and actions that must happen only once. */
const FORGET = [...SECRETS, "cmd", "reset", "pid"] as const;

export const bootOf = (
  request: TerminalRequest,
  entry: Pick<Boot, "id" | "token" | "readonly" | "framedBy">,
  paths: Pick<Boot, "socket" | "sessions">,
): Boot => ({ ...entry, ...paths, appearance: request.appearance, forget: FORGET });

export const seen = (secure: boolean) =>
  `${SEEN_COOKIE}=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000${secure ? "; Secure" : ""}`;

/** The terminal's own page. */
export function terminalPage(
  boot: Boot,
  assets: { script: string; style: string },
  origin: string,
): Response {
  const { panel } = boot.appearance;
  return htmlResponse(
    {
      title: boot.appearance.title ?? `Terminal ${boot.id}`,
      head: (nonce) =>
        `<link rel="stylesheet" href="${assets.style}" nonce="${nonce}">
<script type="application/json" id="boot" nonce="${nonce}">${jsonForScript(boot)}</script>
<script type="module" src="${assets.script}" nonce="${nonce}"></script>`,
      body: () => `<main id="terminal"></main><noscript>The terminal needs JavaScript.</noscript>`,
      connect: `'self' ${origin.replace(/^http/, "ws")}`,
      ...(panel === null ? {} : { frame: new URL(panel.url).origin }),
      framed: true,
    },
    { headers: { "set-cookie": seen(origin.startsWith("https:")) } },
  );
}
