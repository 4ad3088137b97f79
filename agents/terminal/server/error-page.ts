import { STATUS_TEXT } from "../../../schemas/errors.ts";
import { htmlResponse } from "./html.ts";
import { plainPage } from "./plain-page.ts";

interface Advice {
  readonly title: string;
  /** What the user can do, as a sentence. */
  readonly hint: string;
  /** Whether retrying the same address soon may succeed. */
  readonly again?: true;
}

const NEW = "Open a new terminal, or go back to where you came from.";

const ADVICE: Readonly<Record<string, Advice>> = {
  VALIDATION_ERROR: {
    title: "This address cannot be followed",
    hint: "Change the part of the address that is named above, or open a terminal without it.",
  },
  MISSING_TOKEN: {
    title: "Sign in first",
    hint: "The browser remembers the token: it is needed once.",
  },
  INSUFFICIENT_PERMISSIONS: {
    title: "You may only watch here",
    hint: "Ask for the link of a session that is open, or for the right to start one.",
  },
  FORBIDDEN_HOST: {
    title: "This name is not the terminal's",
    hint: "Use the address that the terminal printed when it started, or allow this name with --allow-host.",
  },
  FORBIDDEN_ORIGIN: { title: "Another site asked for this", hint: NEW },
  SESSION_NOT_FOUND: { title: "This session is gone", hint: NEW },
  ROUTE_NOT_FOUND: { title: "There is nothing here", hint: NEW },
  OVERLOADED: {
    title: "There is no room for another session",
    hint: "End a session that you do not need, then try again.",
    again: true,
  },
  SSH_UNAVAILABLE: {
    title: "No SSH connection",
    hint: "Check the host, the port and the user in the address, and that the host is on. Then try again.",
    again: true,
  },
  HOST_KEY_CHANGED: {
    title: "The SSH host is not the one it was",
    hint: "If it was installed again, its old key has to be removed from the known hosts first. If not, somebody may be between you and it.",
    again: true,
  },
  DISPLAY_NOT_READY: {
    title: "The display does not answer",
    hint: "A desktop may still be starting. Try again, or open the terminal without redirect to see what happens.",
    again: true,
  },
};

const OTHER: Advice = {
  title: "This did not work",
  hint: "Try again. If it happens again, the service's log says why.",
  again: true,
};

/** For browsers a page that says what went wrong and what to do; for other clients the common JSON error envelope, with `data` where there is some. */
export function terminalErrorResponse(
  request: Request,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
  data?: Readonly<Record<string, unknown>>,
): Response {
  const words = STATUS_TEXT[status] ?? "Error";
  if (!(request.headers.get("accept") ?? "").includes("text/html")) {
    const body = { statusCode: status, error: words, message, code, ...(data === undefined ? {} : { data }) };
    return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
  }
  const { title, hint, again } = ADVICE[code] ?? OTHER;
  const first = again ? `<button class="first" type="button" data-again>Try again</button>` : "";
  const main = `<p>${Bun.escapeHTML(message)}</p><p>${Bun.escapeHTML(hint)}</p>
<nav>${first}<a class="button${again ? "" : " first"}" href="/">New terminal</a></nav>
<small>${status} ${words} · ${Bun.escapeHTML(code)}</small>`;
  return htmlResponse(plainPage(title, main), { status, headers });
}

/** The refusal of a request for one part of it: `data.field` names it, as `query.<parameter>`, `header.<name>` or `path`. */
export const invalidField = (request: Request, field: string, message: string): Response =>
  terminalErrorResponse(request, 400, "VALIDATION_ERROR", `${field}: ${message}`, {}, { field });
