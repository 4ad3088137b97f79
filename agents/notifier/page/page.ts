import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_STYLE } from "../../web/base-style.ts";
import { bundleScript } from "../../web/bundle.ts";
import { renderPage } from "../../web/page.ts";
import { hardened } from "../http/refusal.ts";

const read = (name: string): string => readFileSync(join(import.meta.dir, name), "utf8");
const STYLE = BASE_STYLE + read("style.css");
const BODY = read("home.html");

/**
 * The page with history and live notices. Script and style carry a nonce of this response; injected code is not run.
 */
export async function homePage(curlArguments: string): Promise<Response> {
  const script = await bundleScript(join(import.meta.dir, "client.ts"));
  // The arguments are this server's own: nothing in them needs escaping.
  const boot = JSON.stringify({ curlArguments });
  const { html, policy } = renderPage({
    title: "Notifications",
    style: STYLE,
    hasScripts: true,
    policy: { "img-src": "'self' data:", "connect-src": "'self'", "frame-ancestors": "'self'" },
    body: (nonce) => `${BODY}
<script type="application/json" id="boot" nonce="${nonce}">${boot}</script>
<script type="module" nonce="${nonce}">${script}</script>`,
  });
  return new Response(html, {
    headers: hardened({ "content-type": "text/html; charset=utf-8", "content-security-policy": policy }),
  });
}
