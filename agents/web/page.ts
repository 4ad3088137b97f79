import { createHash, randomBytes } from "node:crypto";

/**
 * A page's content, without the common document around it. Its HTML is trusted: external text has been escaped with
 * `Bun.escapeHTML`.
 */
export interface PageContent {
  /** Plain text; it is escaped here. */
  readonly title: string;
  readonly style?: string;
  /** Scripts of the head and the body must carry the nonce to run. */
  readonly head?: (nonce: string) => string;
  readonly body: (nonce: string) => string;
  /** Whether the page has scripts. */
  readonly hasScripts?: boolean;
  /**
   * Whether scripts and styles carry a nonce; by default if there are scripts. Without a nonce the style is allowed
   * by its hash.
   */
  readonly usesNonce?: boolean;
  /** Directives that replace the strict ones in the Content-Security-Policy, such as `connect-src`. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly icon?: string;
  readonly viewport?: string;
}

export interface RenderedPage {
  readonly html: string;
  /** Its Content-Security-Policy, which allows only the page's own scripts, resources and connections. */
  readonly policy: string;
}

/** Renders the whole document. Without a nonce, the result is the same each time. */
export function renderPage(content: PageContent): RenderedPage {
  const { title, style, head, body, icon = "data:,", viewport = VIEWPORT } = content;
  const { hasScripts = false, usesNonce = hasScripts } = content;
  const nonce = usesNonce ? randomBytes(16).toString("base64url") : "";
  const source = usesNonce ? `'nonce-${nonce}'` : hashOf(style ?? "");
  const directives: Record<string, string> = {
    "default-src": "'none'",
    ...(icon.startsWith("data:") ? { "img-src": "data:" } : {}),
    ...(hasScripts ? { "script-src": source } : {}),
    ...(usesNonce || style !== undefined ? { "style-src": source } : {}),
    ...content.policy,
  };
  for (const name of NOT_BY_DEFAULT_SRC) directives[name] ??= "'none'";
  const styled = style === undefined ? "" : `<style${usesNonce ? ` nonce="${nonce}"` : ""}>${style}</style>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="${viewport}">
<title>${Bun.escapeHTML(title)}</title>
<link rel="icon" href="${icon}">
${styled}${head?.(nonce) ?? ""}
</head>
<body>
${body(nonce)}
</body>
</html>
`;
  const policy = Object.entries(directives).map(([name, sources]) => `${name} ${sources}`);
  return { html, policy: policy.join("; ") };
}

/** Directives for which `default-src` is no fallback. */
const NOT_BY_DEFAULT_SRC = ["base-uri", "form-action", "frame-ancestors"];
const VIEWPORT = "width=device-width, initial-scale=1";

const hashOf = (style: string): string => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
