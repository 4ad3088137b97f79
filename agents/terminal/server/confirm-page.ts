import { parseRequest, type TerminalRequest } from "../parameters/parse.ts";
import { htmlResponse } from "./html.ts";
import { summarizeLaunch } from "./launch-summary.ts";
import { seen } from "./pages.ts";
import { plainPage } from "./plain-page.ts";

/** What a request does, as items of a list, with what its panel does where that is a terminal of this service too. */
function actionsOf(request: TerminalRequest, origin: string): string {
  const actions = summarizeLaunch(request).map((action) => `<li>${action}</li>`);
  const inner = panelRequest(request, origin);
  const beside = inner === null ? "" : `<li>in the panel:<ul>${actionsOf(inner, origin)}</ul></li>`;
  return `${actions.join("")}${beside}`;
}

function panelRequest({ appearance }: TerminalRequest, origin: string): TerminalRequest | null {
  const url = URL.parse(appearance.panel?.url ?? "");
  if (url?.origin !== origin || url.pathname !== "/") return null;
  try {
    // Arguments are told even where this server takes none.
    return parseRequest(url.searchParams, { urlArg: true, origin });
  } catch {
    // It starts nothing: its panel says what is wrong.
    return null;
  }
}

/**
 * Asks for confirmation when another site may have caused the request, and shows what would happen. Nothing has been
 * started.
 *
 * @param isForeign whether the browser says that another site caused it; otherwise the browser does not tell
 */
export function confirmPage(request: TerminalRequest, origin: string, isForeign: boolean): Response {
  const actionItems = actionsOf(request, origin);
  const why = isForeign
    ? "Another site led you here."
    : "This browser does not say what led you here: perhaps a link in a message or on a page, perhaps your own bookmark.";
  // The button navigates from this page, so the browser reports the same origin. The page does not repeat the
  // address, which may contain secrets.
  const main = `<p>${why} If you go on, this happens:</p><ul>${actionItems}</ul>
<nav><button id="open" class="first" type="button" data-again>Open this terminal</button></nav><noscript>The terminal needs JavaScript.</noscript>`;
  return htmlResponse(plainPage("Open this terminal?", main), {
    headers: { "set-cookie": seen(origin.startsWith("https:")) },
  });
}
