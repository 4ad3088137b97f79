import { type AnyElysia, Elysia } from "elysia";
import { open } from "../auth/guards.ts";
import { documentOf } from "./document.ts";
import { renderApiPage } from "./page.ts";

/** One script and one style sheet of its own, no external resources, no framing. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const style = Bun.file(new URL("./page.css", import.meta.url));

let built: Promise<string> | undefined;
/** Made once, when the first page is read. */
const script = () =>
  (built ??= Bun.build({
    entrypoints: [new URL("./page-script.ts", import.meta.url).pathname],
    target: "browser",
    minify: true,
  }).then(({ outputs }) => outputs[0]?.text() ?? ""));

/**
 * `GET /openapi/json`, the OpenAPI 3.1 document, and `GET /openapi`, the page for people (design §3).
 */
export function openapi(routes: () => AnyElysia["routes"], version: string) {
  let made: { json: string; html: string } | undefined;
  /** Made once, at the first request: every route is registered by then. */
  const make = () => {
    const document = documentOf(routes(), version);
    made = { json: JSON.stringify(document), html: renderApiPage(document) };
    return made;
  };
  const hidden = { detail: { hide: true } };
  return new Elysia({ name: "openapi" })
    .use(open("the description of the API is public", { counted: "none" }))
    .get("/openapi/json", () => textResponse((made ?? make()).json, "application/json"), hidden)
    .get("/openapi", () => textResponse((made ?? make()).html, "text/html; charset=utf-8"), hidden)
    .get(
      "/openapi/page.js",
      async () => textResponse(await script(), "text/javascript; charset=utf-8"),
      hidden,
    )
    .get("/openapi/page.css", () => textResponse(style, "text/css; charset=utf-8"), hidden);
}

const textResponse = (body: string | Blob, contentType: string) =>
  new Response(body, { headers: { "content-type": contentType, "content-security-policy": PAGE_POLICY } });
