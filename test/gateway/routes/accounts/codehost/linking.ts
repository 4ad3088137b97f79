import type { Answer, StackClient, TestUser } from "../../../../harness/stack-client.ts";
import type { CodeHost, HostUser } from "./code-host.ts";

/** A link as a browser makes it: begin, go to the code host, come back with the cookie. */
export function linking(stack: StackClient, host: CodeHost) {
  const begin = async ({ token }: TestUser) => {
    const { body, headers } = await stack.call("POST", "/api/v1/auth/codehost", { token });
    const [cookie = ""] = headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    return { authorizationUrl: body.data.authorization_url as string, cookie };
  };
  const callBack = (url: URL, headers: Record<string, string>): Promise<Answer> =>
    stack.call("GET", url.pathname + url.search, { headers });
  const link = async (user: TestUser, as: HostUser): Promise<Answer> => {
    const { authorizationUrl, cookie } = await begin(user);
    return callBack(await host.visit(authorizationUrl, as), { cookie });
  };
  const status = async ({ token }: TestUser) =>
    (await stack.call("GET", "/api/v1/wallet/codehost-bonus", { token })).body.data;
  const claim = ({ token }: TestUser, headers = {}) =>
    stack.call("POST", "/api/v1/wallet/codehost-bonus/claim", { token, headers });
  return { begin, callBack, link, status, claim };
}

let lastId = 1_000;
/** Somebody at the code host whom no other test knows. */
export const somebody = (login = "alice"): HostUser => ({ id: ++lastId, login });
