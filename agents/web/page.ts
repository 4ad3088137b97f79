import { createHash, randomBytes } from "node:crypto";

/** A page before it has its shell. HTML in it is trusted: text from elsewhere has gone through `Bun.escapeHTML`. */
export interface PageContent {
  /** Text, which is escaped here. */
  readonly title: string;
  readonly style?: string;
  /** Scripts of the head and the body carry the nonce; without it nothing in the page is run. */
  readonly head?: (nonce: string) => string;
  readonly body: (nonce: string) => string;
  /** Whether the page has scripts, or styles besides `style`. */
  readonly usesNonce?: boolean;
  /** Directives of the Content-Security-Policy in place of the strict ones, such as `connect-src`. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly icon?: string;
  readonly viewport?: string;
}

export interface RenderedPage {
  readonly html: string;
  /** Its Content-Security-Policy: nothing runs, loads or connects but what the page's author put there. */
  readonly policy: string;
}

/** Puts a page into its shell. One without a nonce is the same each time. */
export function renderPage(content: PageContent): RenderedPage {
  const { title, style, head, body, usesNonce = false, icon = "data:,", viewport = VIEWPORT } = content;
  const nonce = usesNonce ? randomBytes(16).toString("base64url") : "";
  const source = usesNonce ? `'nonce-${nonce}'` : hashOf(style ?? "");
  const directives = {
    "default-src": "'none'",
    ...(usesNonce ? { "script-src": source } : {}),
    ...(usesNonce || style !== undefined ? { "style-src": source } : {}),
    ...content.policy,
  };
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
  // These do not follow `default-src`.
  const policy = Object.entries({ ...CLOSED, ...directives }).map(([name, sources]) => `${name} ${sources}`);
  return { html, policy: policy.join("; ") };
}

const CLOSED = { "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'" };
const VIEWPORT = "width=device-width, initial-scale=1";

const hashOf = (style: string): string => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
