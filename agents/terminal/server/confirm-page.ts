import type { TerminalRequest } from "../parameters/parse.ts";
import { htmlResponse } from "./html.ts";
import { summarizeLaunch } from "./launch-summary.ts";
import { seen } from "./pages.ts";
import { plainPage } from "./plain-page.ts";

/**
 * Asks a person who may have been led here by another site, and says what would happen. Nothing was started.
 *
 * @param isForeign the browser says that it was another site; else it does not say what it was
 */
export function confirmPage(request: TerminalRequest, origin: string, isForeign: boolean): Response {
  const actionItems = summarizeLaunch(request)
    .map((action) => `<li>${action}</li>`)
    .join("");
  const why = isForeign
    ? "Another site led you here."
    : "This browser does not say what led you here: perhaps a link in a message or on a page, perhaps your own bookmark.";
  // A navigation of this page's own is one from the same origin; the address is not repeated in the page, for the
  // secrets that it may hold.
  const main = `<p>${why} If you go on, this happens:</p><ul>${actionItems}</ul>
<nav><button id="open" class="first" type="button" data-again>Open this terminal</button></nav><noscript>The terminal needs JavaScript.</noscript>`;
  return htmlResponse(plainPage("Open this terminal?", main), {
    headers: { "set-cookie": seen(origin.startsWith("https:")) },
  });
}
