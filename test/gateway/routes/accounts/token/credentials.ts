import type { Permission } from "../../../../../schemas/permissions.ts";
import type { Answer, StackClient, TestUser } from "../../../../harness/stack-client.ts";

export const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

/** An API token of a user. */
export async function apiToken(
  stack: StackClient,
  user: TestUser,
  permissions: readonly Permission[],
  fields: object = {},
): Promise<{ id: string; token: string }> {
  const { body } = await stack.call("POST", "/api/v1/auth/tokens", {
    token: user.token,
    body: { name: "ci", permissions, ...fields },
  });
  return body.data;
}

export async function realmToken(stack: StackClient, user: TestUser, realmId: string): Promise<string> {
  const { body } = await stack.call("POST", "/api/v1/auth/realm", {
    token: user.token,
    body: { realm_id: realmId },
  });
  return body.data.access_token;
}

export async function impersonate(stack: StackClient, admin: TestUser, userId: string): Promise<string> {
  const { body } = await stack.call("POST", "/api/v1/auth/impersonate", {
    token: admin.token,
    body: { user_id: userId, reason: "a support case" },
  });
  return body.data.access_token;
}

export const codeOf = ({ status, body }: Answer) => (status < 400 ? status : `${status} ${body.code}`);
