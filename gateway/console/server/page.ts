import { randomBytes } from "node:crypto";
import type { EdgeAddress } from "../../../schemas/addresses.ts";
import type { GatewayContext } from "../../context.ts";
import type { Assets } from "./assets.ts";

const NONCE_BYTES = 16;

/** What the document says of this installation. */
export type PageContext = Pick<GatewayContext, "edge" | "publicUrl" | "sendsMail" | "readEdgeAuthority">;

/**
 * The one document of the console. Its policy lets nothing run, load or connect but the console's own; frames are those of containers'
 * addresses, which show a terminal or files.
 */
export async function consolePage(
  { script, style, icon }: Assets,
  { edge, publicUrl, sendsMail, readEdgeAuthority }: PageContext,
  status = 200,
): Promise<Response> {
  // React Aria writes a few styles of its own, and reads the nonce for them from the page.
  const nonce = randomBytes(NONCE_BYTES).toString("base64url");
  const facts = [
    ...(sendsMail ? [`<meta name="berth-mail" content="on">\n`] : []),
    ...((await readEdgeAuthority()) === undefined ? [] : [`<meta name="berth-authority" content="own">\n`]),
  ];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="berth-origin" content="${new URL(publicUrl).origin}">
${facts.join("")}<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<title>Berth</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. The API does not: <a href="/openapi">read how it is used</a>.</noscript>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(nonce, edge),
      "cross-origin-opener-policy": "same-origin",
      // An edge recognises the console, which may frame a terminal, by its origin.
      "referrer-policy": "strict-origin",
      "cache-control": "no-store",
      vary: "Accept",
    },
  });
}

function policy(nonce: string, { containerDomain, httpsPort }: EdgeAddress): string {
  const containers = `https://*.${containerDomain}${httpsPort === 443 ? "" : `:${httpsPort}`}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // Files of containers are read from and sent to their own addresses, with a token that is good there alone.
    `connect-src 'self' ${containers}`,
    `frame-src ${containers}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
