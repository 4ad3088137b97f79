import { bySharedToken } from "../../web/shared-token.ts";
import { terminalErrorResponse } from "./error-page.ts";

/** The single token of a stand-alone terminal. */
export const byToken = (token: string) =>
  bySharedToken({
    token,
    cookie: "berth_terminal",
    refuse: (request, headers) => {
      const message = "This terminal needs its token: open it once with ?access_token=…";
      return terminalErrorResponse(request, 401, "MISSING_TOKEN", message, { ...headers });
    },
  });
