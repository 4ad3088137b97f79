import { displayNumber } from "../display.ts";
import type { Bucket } from "./rate-limit.ts";
import { Refusal, refused } from "./refusal.ts";

export const PREFIX = "/api/v1/notifications/";
/** The known methods. All others share one label in the metrics, since clients can invent them. */
export const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

/** The route of a request, and the rate limit that counts it. */
export type Route = { readonly bucket: Bucket } & (
  | { readonly name: "home" | "notify" | "dismiss" | "stream" | "displays" | "health" | "metrics" | "none" }
  | { readonly name: "icons"; readonly id: string }
  /** Null for an invalid display. */
  | { readonly name: "history"; readonly display: number | null }
);

const ALLOWED: Readonly<Record<Route["name"], readonly string[]>> = {
  home: ["GET", "HEAD"],
  notify: ["POST"],
  dismiss: ["POST", "DELETE"],
  stream: ["GET"],
  displays: ["GET", "HEAD"],
  icons: ["GET", "HEAD"],
  health: ["GET", "HEAD"],
  metrics: ["GET", "HEAD"],
  history: ["GET", "HEAD"],
  none: METHODS,
};

export function routeOf(pathname: string): Route {
  if (pathname === "/") return { name: "home", bucket: "general" };
  if (!pathname.startsWith(PREFIX)) return { name: "none", bucket: "general" };
  const path = pathname.slice(PREFIX.length);
  switch (path) {
    case "notify":
      return { name: "notify", bucket: "notify" };
    case "dismiss":
    case "stream":
    case "displays":
      return { name: path, bucket: "general" };
    case "health":
    case "metrics":
      return { name: path, bucket: path };
  }
  // A name for the history's database, and no path: whatever it is, it is found there or not.
  if (path.startsWith("icons/")) return { name: "icons", id: path.slice("icons/".length), bucket: "icons" };
  if (path === "" || path.includes("/")) return { name: "none", bucket: "general" };
  return { name: "history", display: displayNumber(path.replace(/^%3a/i, ":")), bucket: "general" };
}

/** The response to a method that a route does not allow. */
export function allow({ method }: Request, { name }: Route): Response | null {
  if (ALLOWED[name].includes(method)) return null;
  const methods = ALLOWED[name].join(", ");
  return refused(new Refusal(405, "METHOD_NOT_ALLOWED", `only ${methods} here`, { allow: methods }));
}
