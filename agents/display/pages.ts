import { join } from "node:path";
import { BASE_STYLE } from "../web/base-style.ts";
import { renderPage } from "../web/page.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { ASSETS_PATH, type Boot } from "./protocol.ts";

export interface Assets {
  readonly script: string;
  readonly style: string;
  /** The file at a path; null when there is none. */
  response(path: string): Response | null;
}

let built: Promise<Assets> | undefined;

/** The page's script and style, bundled from `page/` and noVNC at the first use: nothing comes from elsewhere. */
export function assets(): Promise<Assets> {
  built ??= build().catch((error) => {
    // A failure may be of the moment, such as too many open files.
    built = undefined;
    throw error;
  });
  return built;
}

async function build(): Promise<Assets> {
  const page = join(import.meta.dir, "page");
  const output = await Bun.build({
    entrypoints: [join(page, "main.ts")],
    target: "browser",
    minify: true,
    naming: "[name].[hash].[ext]",
  });
  const [script] = output.outputs;
  if (script === undefined) throw new Error("the page has no script");
  const path = `${ASSETS_PATH}${script.path.split("/").at(-1)}`;
  const body = new Blob([await script.arrayBuffer()]);
  return {
    script: path,
    style: BASE_STYLE + (await Bun.file(join(page, "style.css")).text()),
    response(asked) {
      if (asked !== path) return null;
      return new Response(body, {
        headers: {
          ...SECURITY_HEADERS,
          "content-type": "text/javascript; charset=utf-8",
          // Its name changes with what is in it.
          "cache-control": "public, max-age=31536000, immutable",
        },
      });
    },
  };
}

/** The page of one display, under a policy that lets nothing run, load or connect but this. */
export function displayPage(
  { display, readonly }: Boot,
  { script, style }: Assets,
  origin: string,
): Response {
  const { html, policy } = renderPage({
    title: `Display :${display}`,
    style,
    head: (nonce) => `<script type="module" src="${script}" nonce="${nonce}"></script>`,
    body: () =>
      `<main id="display" data-display="${display}" data-readonly="${readonly}"></main><noscript>A display needs JavaScript.</noscript>`,
    hasScripts: true,
    viewport: "width=device-width, initial-scale=1, interactive-widget=resizes-content",
    policy: {
      // Pictures of the screen, and the pointer, come in data addresses.
      "img-src": "data:",
      "connect-src": origin.replace(/^http/, "ws"),
      "frame-ancestors": "'self'",
    },
  });
  return new Response(html, {
    headers: {
      ...SECURITY_HEADERS,
      "cross-origin-opener-policy": "same-origin",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    },
  });
}
