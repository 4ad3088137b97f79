import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import packageJson from "../../../package.json" with { type: "json" };
import { DomainError } from "../../../schemas/errors.ts";
import { Strict } from "../../../schemas/primitives.ts";
import type { AccountSessions } from "../../auth/account-sessions.ts";
import { open } from "../../auth/guards.ts";
import { prefersHtml } from "../../http/accept.ts";
import type { UnknownPage } from "../../http/errors.ts";
import { homeData } from "../../openapi/home.ts";
import { brokenAddressPage } from "../../pages/broken-address.ts";
import { pageResponse } from "../../pages/page.ts";
import { ASSETS_PATH, CONSOLE_PATHS } from "../paths.ts";
import { assets } from "./assets.ts";
import { consolePage, type PageContext } from "./page.ts";
import { sessionRoutes } from "./session.ts";

const hidden = { detail: { hide: true } };
/** The router in the browser reads them. */
const anyQuery = Type.Record(Type.String(), Type.Unknown());
const Below = Strict({ "*": Type.String() });

/** The console (design §5): `GET /` for browsers, its pages, its files and its session. */
export const consoleRoutes = (context: PageContext, sessions: AccountSessions): AnyElysia[] => [
  pages(context),
  files(),
  sessionRoutes(sessions, context.publicUrl),
];

function pages(context: PageContext): AnyElysia {
  const page = async () => consolePage(await assets(), context);
  const ofBrowsers = (request: Request) => {
    if (!prefersHtml(request.headers.get("accept")))
      throw new DomainError("ROUTE_NOT_FOUND", "No such route");
    return page();
  };
  const app: AnyElysia = new Elysia()
    .use(open("the console's pages are the same for everybody, and hold no data", { counted: "none" }))
    .get(
      "/",
      ({ request, set }) => {
        set.headers.vary = "Accept";
        return prefersHtml(request.headers.get("accept")) ? page() : homeData(packageJson.version);
      },
      { query: anyQuery, ...hidden },
    );
  for (const path of CONSOLE_PATHS)
    app
      .get(path, ({ request }) => ofBrowsers(request), { query: anyQuery, ...hidden })
      .get(`${path}/*`, ({ request }) => ofBrowsers(request), { params: Below, query: anyQuery, ...hidden });
  return app;
}

/** Where nothing is, a browser gets the console's page that says so, and a program the error in JSON. */
export const unknownPage =
  (context: PageContext): UnknownPage =>
  async ({ method, url, headers }, { code, data }) => {
    const isPage = method === "GET" && !new URL(url).pathname.startsWith("/api/");
    if (!isPage || !prefersHtml(headers.get("accept"))) return undefined;
    if (code === "ROUTE_NOT_FOUND") return consolePage(await assets(), context, NOT_FOUND);
    const isBroken = code === "VALIDATION_ERROR" && data?.field === "path";
    return isBroken ? pageResponse(brokenAddressPage()) : undefined;
  };
const NOT_FOUND = 404;

const files = () =>
  new Elysia().use(open("the console's scripts and styles hold no data", { counted: "none" })).get(
    `${ASSETS_PATH}/:name`,
    async ({ params, request }) => {
      const found = (await assets()).response(params.name, request.headers.get("accept-encoding"));
      if (found === undefined) throw new DomainError("ROUTE_NOT_FOUND", "No such file");
      return found;
    },
    { params: Strict({ name: Type.String({ maxLength: 100 }) }), ...hidden },
  );
