import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { Strict } from "../../schemas/primitives.ts";
import type { CodehostSettings } from "../auth/codehost-client.ts";
import { open } from "../auth/guards.ts";
import type { GatewayContext } from "../context.ts";
import { pageResponse } from "../pages/page.ts";
import { challengeOf, Login, SandboxGrants, userNumber } from "./grants.ts";
import { consentPage } from "./page.ts";

const FORM_BYTES_MAX = 4_096;
const Word = Type.String({ maxLength: 512 });
/** What a client of OAuth 2 with PKCE asks with (RFC 6749 §4.1.1, RFC 7636 §4.3). */
const Authorization = Strict({
  response_type: Type.Literal("code"),
  client_id: Word,
  redirect_uri: Word,
  scope: Word,
  state: Word,
  code_challenge: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  code_challenge_method: Type.Literal("S256"),
});
type Authorization = Static<typeof Authorization>;
const hidden = { detail: { hide: true } };

/**
 * A code host for trying out links and the bonus (docs/operations.md#code-host): the three addresses of OAuth 2 that a link needs. They
 * exist only while the code host runs as sandbox.
 */
export const codehostSandboxRoutes = ({ codehost }: GatewayContext) => {
  const settings = codehost?.settings.isSandbox === true ? codehost.settings : undefined;
  const grants = new SandboxGrants(settings?.clientSecret ?? "");
  const sandbox = (): CodehostSettings => {
    if (settings !== undefined) return settings;
    throw new DomainError("ROUTE_NOT_FOUND", "No such page");
  };

  return new Elysia({ prefix: "/sandbox/codehost" })
    .use(
      open("a browser that links an identity at the sandboxed code host has no access token there", {
        body: "bytes",
        bodyBytesMax: FORM_BYTES_MAX,
      }),
    )
    .get(
      "/authorize",
      ({ query }) => {
        assertRegistered(sandbox(), query);
        return pageResponse(consentPage(query.redirect_uri));
      },
      { query: Authorization, ...hidden },
    )
    .post(
      "/authorize",
      ({ query, body }) => {
        assertRegistered(sandbox(), query);
        const { redirect_uri, code_challenge, state } = query;
        const { action, login = "" } = formOf(body);
        const answer = new URL(redirect_uri);
        answer.searchParams.set("state", state);
        if (action === "deny") answer.searchParams.set("error", "access_denied");
        else if (Value.Check(Login, login))
          answer.searchParams.set("code", grants.issue("code", { login, redirect_uri, code_challenge }));
        else
          return pageResponse(consentPage(redirect_uri, "A name has 1 to 39 letters, digits and hyphens."));
        return new Response(null, { status: 303, headers: { location: answer.href } });
      },
      { query: Authorization, body: Type.Uint8Array(), ...hidden },
    )
    .post(
      "/token",
      ({ body }) => {
        const { clientId, clientSecret } = sandbox();
        const { client_id, client_secret, code = "", redirect_uri, code_verifier = "" } = formOf(body);
        if (client_id !== clientId || client_secret !== clientSecret) return refusal(401, "invalid_client");
        const granted = grants.read("code", code);
        const isTheirs =
          granted?.redirect_uri === redirect_uri && granted?.code_challenge === challengeOf(code_verifier);
        if (granted === undefined || !isTheirs) return refusal(400, "invalid_grant");
        const access_token = grants.issue("token", { login: granted.login });
        return Response.json({ access_token, token_type: "bearer" }, { headers: NOT_STORED });
      },
      { body: Type.Uint8Array(), ...hidden },
    )
    .get(
      "/user",
      ({ request }) => {
        sandbox();
        const [, token = ""] = /^Bearer (.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
        const granted = grants.read("token", token);
        if (granted === undefined) return refusal(401, "invalid_token");
        const { login } = granted;
        return Response.json({ id: userNumber(login), login }, { headers: NOT_STORED });
      },
      hidden,
    );
};

const NOT_STORED = { "cache-control": "no-store" };
const refusal = (status: number, error: string) => Response.json({ error }, { status, headers: NOT_STORED });

/** The client, and where it is sent back to, are those of this Berth (RFC 6749 §4.1.2.1). */
function assertRegistered(settings: CodehostSettings, { client_id, redirect_uri }: Authorization): void {
  if (client_id !== settings.clientId) throw new ValidationError("query.client_id", "is not known here");
  if (redirect_uri !== settings.redirectUri)
    throw new ValidationError("query.redirect_uri", "is not that of the client");
}

const formOf = (body: Uint8Array): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(Buffer.from(body).toString("latin1")));
