import { DomainError } from "../../schemas/errors.ts";
import { prefersJson } from "../http/accept.ts";
import { type Page, pageResponse, sayingPage } from "./page.ts";

/**
 * The page of a link that was mailed or given, also where it is refused: whoever follows a link is a person. Programs that ask for JSON get the error.
 *
 * @param invalid the page of a link that is not good
 */
export async function linkPage(
  request: Request,
  invalid: Page,
  show: () => Promise<Page>,
): Promise<Response> {
  try {
    return pageResponse(await show());
  } catch (error) {
    if (!(error instanceof DomainError) || prefersJson(request.headers.get("accept"))) throw error;
    if (error.code === "RECOVERY_INVALID") return pageResponse(invalid);
    return pageResponse(refusedPage(error));
  }
}

/** @throws what is a fault of ours */
function refusedPage(error: DomainError): Page {
  if (error.status >= 500) throw error;
  return sayingPage({ title: "Not now", status: error.status, text: Bun.escapeHTML(`${error.message}.`) });
}
