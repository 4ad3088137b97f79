import type { TerminalRequest } from "../parameters/parse.ts";
import type { Boot } from "./boot.ts";
import { SEEN_COOKIE } from "./fetch-metadata.ts";
import { htmlResponse, jsonForScript } from "./html.ts";
import { summarizeLaunch } from "./launch-summary.ts";

/** Taken out of the address once the page is there: secrets, and what happens once. */
const FORGET = ["ssh_password", "ssh_key", "socks5_pass", "cmd", "reset", "pid", "access_token"] as const;

export const bootOf = (
  request: TerminalRequest,
  entry: Pick<Boot, "id" | "token" | "readonly">,
  paths: Pick<Boot, "socket" | "sessions">,
): Boot => ({ ...entry, ...paths, appearance: request.appearance, forget: FORGET });

const seen = (secure: boolean) =>
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

const PLAIN_STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #1e1e1e; color: #e6e6e6;
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 36rem; padding: 2rem; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
code { background: #333; padding: .1em .35em; border-radius: .25em; overflow-wrap: anywhere; white-space: pre-wrap;
  unicode-bidi: isolate-override; direction: ltr; }
button { font: inherit; padding: .5rem 1.25rem; border: 0; border-radius: .4rem; background: #2563eb; color: #fff; cursor: pointer; }
button:focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
ul { padding-left: 1.25rem; }
summary { cursor: pointer; color: #fbbf24; }`;

const plain = (title: string, main: string, script?: string) => ({
  title,
  head: (nonce: string) => `<style nonce="${nonce}">${PLAIN_STYLE}</style>`,
  body: (nonce: string) =>
    `<main><h1>${Bun.escapeHTML(title)}</h1>${main}</main>${script ? `<script nonce="${nonce}">${script}</script>` : ""}`,
});

/** A page that says what went wrong, and for other clients than browsers the envelope of all our errors. */
export function errorResponse(
  request: Request,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const words = STATUS_WORDS[status] ?? "Error";
  if (!(request.headers.get("accept") ?? "").includes("text/html")) {
    const body = { statusCode: status, error: words, message, code };
    return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
  }
  return htmlResponse(
    plain(words, `<p>${Bun.escapeHTML(message)}</p><p><code>${Bun.escapeHTML(code)}</code></p>`),
    {
      status,
      headers,
    },
  );
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Asks a person who was led here by another site, and says what would happen. Nothing was started. */
export function confirmPage(request: TerminalRequest, origin: string): Response {
  const deeds = summarizeLaunch(request)
    .map((deed) => `<li>${deed}</li>`)
    .join("");
  const main = `<p>Another site led you here. If you go on, this happens:</p><ul>${deeds}</ul>
<p><button id="open" type="button">Open this terminal</button></p><noscript>The terminal needs JavaScript.</noscript>`;
  // A navigation of this page's own is one from the same origin; the address is not repeated in the page, for the
  // secrets that it may hold.
  const script = `document.getElementById("open").addEventListener("click", () => {
  location.assign(location.pathname + location.search);
});`;
  return htmlResponse(plain("Open this terminal?", main, script), {
    headers: { "set-cookie": seen(origin.startsWith("https:")) },
  });
}
