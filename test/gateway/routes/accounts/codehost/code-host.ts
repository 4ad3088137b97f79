import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A code host on this machine: a certified OAuth server (oidc-provider), whose users have a number and a name. */
export interface CodeHost {
  readonly env: Readonly<Record<string, string>>;
  /** Goes the way of a user's browser: signs in, and agrees or not. Answers where it is sent back to. */
  visit(authorizationUrl: string, user: HostUser | "denies"): Promise<URL>;
  /** Users are answered with this from now on, in place of what they are; undefined ends that. */
  answerUsers(body: unknown): void;
  stop(): Promise<void>;
}

export interface HostUser {
  readonly id: number;
  readonly login: string;
}

/** Where users find Berth. Nothing listens there: a test takes what comes after the host to the gateway. */
export const PUBLIC_URL = "https://berth.example";
export const CALLBACK = "/api/v1/auth/codehost/callback";
const CLIENT = { id: "berth-of-this-test", secret: "of-this-test" };
const REDIRECTS_MAX = 10;

export async function startCodeHost(): Promise<CodeHost> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${PUBLIC_URL}${CALLBACK}`],
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], profile: ["id", "login"] },
    // Signing in as "7:alice" is being user 7, who is called alice now.
    findAccount: (_ctx, sub) => {
      const [id, login] = sub.split(":");
      return { accountId: sub, claims: () => ({ sub, id: Number(id), login }) };
    },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true } },
    ttl: { AuthorizationCode: 60, AccessToken: 60, Grant: 60, Interaction: 60, Session: 60, IdToken: 60 },
    cookies: { keys: ["of-this-test"] },
  });
  let users: unknown;
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (users !== undefined && request.url?.startsWith("/me")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(users));
    } else void handle(request, response);
  });

  async function visit(authorizationUrl: string, user: HostUser | "denies"): Promise<URL> {
    const cookies = new Map<string, string>();
    const ask = async (to: URL, form?: Record<string, string>) => {
      const response = await fetch(to, {
        redirect: "manual",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
        cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) throw new Error(`${to.pathname}: ${response.status} ${await response.text()}`);
      return new URL(location, to);
    };
    let at = new URL(authorizationUrl);
    const prompts = ["login", "consent"];
    for (let i = 0; i < REDIRECTS_MAX; i++) {
      if (at.origin === PUBLIC_URL) return at;
      if (!at.pathname.startsWith("/interaction/")) at = await ask(at);
      else if (user === "denies") at = await ask(new URL(`${at.pathname}/abort`, at));
      else
        at = await ask(at, {
          prompt: prompts.shift() ?? "",
          login: `${user.id}:${user.login}`,
          password: "any",
        });
    }
    throw new Error(`it goes on and on: ${at}`);
  }

  return {
    env: {
      BERTH_PUBLIC_URL: PUBLIC_URL,
      BERTH_CODEHOST_CLIENT_ID: CLIENT.id,
      BERTH_CODEHOST_CLIENT_SECRET: CLIENT.secret,
      BERTH_CODEHOST_AUTHORIZE_URL: `${url}/auth`,
      BERTH_CODEHOST_TOKEN_URL: `${url}/token`,
      BERTH_CODEHOST_USER_URL: `${url}/me`,
      BERTH_CODEHOST_SCOPE: "openid profile",
    },
    visit,
    answerUsers: (body) => {
      users = body;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
