import { bySharedToken } from "../web/shared-token.ts";
import { Refusal, refused } from "./http/refusal.ts";

/** The notifier's one token: its page exchanges it for a cookie. */
export const byToken = (token: string) =>
  bySharedToken({
    token,
    cookie: "berth_notifier",
    isEntry: (path) => path === "/",
    refuse: (_request, headers) => {
      const message = "this server needs its token; open its page once with ?access_token=...";
      return refused(new Refusal(401, "MISSING_TOKEN", message, headers));
    },
  });
