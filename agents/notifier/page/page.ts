import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleScript } from "../../web/bundle.ts";
import { displayName } from "../display.ts";
import { hardened } from "../http/refusal.ts";

const read = (name: string): string => readFileSync(join(import.meta.dir, name), "utf8");
const STYLE = read("style.css");
const BODY = read("home.html");

/** History and live notices. Script and style carry a nonce of this one answer; what else gets into the page is not run. */
export async function homePage(displays: readonly number[]): Promise<Response> {
  const script = await bundleScript(join(import.meta.dir, "client.ts"));
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
  // Names of displays are a colon and digits: nothing in them needs escaping.
  const boot = JSON.stringify({ displays: displays.map(displayName) });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Notifications</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
${BODY}
<script type="application/json" id="boot" nonce="${nonce}">${boot}</script>
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>
`;
  return new Response(html, {
    headers: hardened({ "content-type": "text/html; charset=utf-8", "content-security-policy": policy }),
  });
}
