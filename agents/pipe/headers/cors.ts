import type { FieldMap } from "../../http1/head.ts";
import type { Fields } from "../../http1/response.ts";

/** Spec §4.2, "CORS preflight". */

const originOf = (headers: FieldMap): string | undefined => {
  const origin = headers.get("origin");
  return origin === undefined || origin === "" || origin === "null" ? undefined : origin;
};

/** The CORS fields of every response of a pipe path, so that pages of any origin can read it. */
export function corsFields(headers: FieldMap): Fields {
  const origin = originOf(headers);
  return {
    "Access-Control-Allow-Origin": origin ?? "*",
    ...(origin === undefined ? {} : { "Access-Control-Allow-Credentials": "true" }),
    Vary: "Origin",
  };
}

export function preflightFields(headers: FieldMap): Fields {
  const privateNetwork = headers.get("access-control-request-private-network")?.toLowerCase() === "true";
  return {
    ...corsFields(headers),
    "Access-Control-Allow-Methods": "GET, POST, PUT, OPTIONS",
    "Access-Control-Allow-Headers":
      "Content-Type, Content-Disposition, Authorization, X-Piping, X-Service-Pipe",
    "Access-Control-Max-Age": "86400",
    ...(privateNetwork ? { "Access-Control-Allow-Private-Network": "true" } : {}),
    Vary: "Origin, Access-Control-Request-Private-Network",
  };
}
