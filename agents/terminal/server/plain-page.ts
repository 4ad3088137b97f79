import { BASE_STYLE } from "../../web/base-style.ts";
import { SECRET_NAME, SECRET_VALUE } from "../parameters/secret-variables.ts";
import type { Page } from "./html.ts";

/**
 * Parameters that every page removes from the address: they would stay in the browser's history and on shared
 * screens.
 */
export const SECRETS = ["ssh_password", "ssh_key", "socks5_pass", "access_token"] as const;

/** `cmd` is carried out once by the terminal's own page, which removes it too. */
const REMOVED = [...SECRETS, "cmd"];

/** The look of all pages of services, with a card in the middle. */
const STYLE = `${BASE_STYLE}
body { min-height: 100dvh; display: grid; place-items: center; }
main { width: min(36rem, 100% - 2rem); margin: 1rem; padding: 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; }
code { background: var(--code); padding: .1em .35em; border-radius: .25em; overflow-wrap: anywhere; white-space: pre-wrap;
  unicode-bidi: isolate-override; direction: ltr; }
nav { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
button, .button { font: inherit; font-weight: 550; padding: .45rem .9rem; border: 1px solid var(--line-strong); border-radius: 6px; background: none;
  color: inherit; cursor: pointer; text-decoration: none; }
.first { background: var(--accent); border-color: transparent; color: var(--on-accent); }
small { display: block; margin-top: 1.25rem; color: var(--soft); }
ul { padding-left: 1.25rem; }
summary { cursor: pointer; color: var(--warn); }`;

/** Only this script keeps the address as requested; the visible address and the history contain no secrets. */
const KEEP_ADDRESS = `const asked = location.pathname + location.search + location.hash;
const shown = new URL(location.href);
for (const name of ${JSON.stringify(REMOVED)}) shown.searchParams.delete(name);
for (const pair of shown.searchParams.getAll("env")) {
  const at = (pair + "=").indexOf("=");
  if (${SECRET_NAME}.test(pair.slice(0, at)) || ${SECRET_VALUE}.test(pair.slice(at + 1))) shown.searchParams.delete("env", pair);
}
if (shown.searchParams.size !== new URLSearchParams(location.search).size) history.replaceState(null, "", shown);
for (const one of document.querySelectorAll("[data-again]")) one.addEventListener("click", () => location.replace(asked));`;

/**
 * A page of text without the terminal. A button with `data-again` loads the original address again, including its
 * secrets, in place of this page.
 *
 * @param main HTML in which all external text is escaped
 */
export const plainPage = (title: string, main: string): Page => ({
  title,
  head: (nonce) => `<style nonce="${nonce}">${STYLE}</style>`,
  body: (nonce) =>
    `<main><h1>${Bun.escapeHTML(title)}</h1>${main}</main><script nonce="${nonce}">${KEEP_ADDRESS}</script>`,
});
