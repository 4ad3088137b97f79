import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_STYLE } from "../../web/base-style.ts";
import { renderPage } from "../../web/page.ts";

/** A page's parts are separate files, and are sent as one document: the browser fetches nothing else. */

const read = (name: string): string => readFileSync(join(import.meta.dir, name), "utf8");

export const ICON: string = read("icon.svg").trim();
const STYLE = BASE_STYLE + read("style.css");

export interface Page {
  readonly type: string;
  readonly body: string;
  /** Its Content-Security-Policy. */
  readonly policy?: string;
}

export interface Content {
  readonly title: string;
  readonly subtitle: string;
  readonly html: string;
  readonly scripts?: readonly string[];
  /** Values for the scripts. None comes from a visitor. */
  readonly boot?: Readonly<Record<string, string | null>>;
  /** Directives of the Content-Security-Policy, in addition to those of every page. */
  readonly policy?: Readonly<Record<string, string>>;
}

export const htmlFile = (name: string): string => read(`${name}.html`);

/** A page of the pipe. Its scripts and styles carry a nonce of this response; injected code is not run. */
export function page({ title, subtitle, html, scripts = [], boot = {}, policy = {} }: Content): Page {
  const rendered = renderPage({
    title,
    style: STYLE,
    icon: `data:image/svg+xml,${encodeURIComponent(ICON)}`,
    hasScripts: scripts.length > 0,
    usesNonce: true,
    policy: {
      ...(scripts.length > 0 ? { "connect-src": "'self'", "media-src": "blob:" } : {}),
      "img-src": "data:",
      "form-action": "'self'",
      "frame-ancestors": "'self'",
      ...policy,
    },
    body: (nonce) => `<main>
<header>${ICON.replace("<svg", '<svg aria-hidden="true"')}<div><h1>${Bun.escapeHTML(title)}</h1><p>${Bun.escapeHTML(subtitle)}</p></div></header>
${html}
</main>
${scripts.length === 0 ? "" : `<script type="application/json" id="boot" nonce="${nonce}">${JSON.stringify(boot)}</script>`}
${scripts.map((script) => `<script type="module" nonce="${nonce}">${script}</script>`).join("\n")}`,
  });
  return { type: "text/html; charset=utf-8", body: rendered.html, policy: rendered.policy };
}
