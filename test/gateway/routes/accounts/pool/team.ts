import type { StackClient, TestUser } from "../../../../harness/stack-client.ts";

export const as =
  (stack: StackClient, user: TestUser) =>
  (method: string, path: string, body?: unknown, headers = {}) =>
    stack.call(method, `/api/v1${path}`, {
      token: user.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });

/** Makes `member` one of the pool, by invitation. */
export async function join(
  stack: StackClient,
  owner: TestUser,
  poolId: string,
  member: TestUser,
  role: "admin" | "user",
): Promise<void> {
  const invited = await as(stack, owner)("POST", `/pools/${poolId}/members`, {
    username: member.username,
    role,
  });
  await as(stack, member)("POST", `/pools/${invited.body.data.id}/accept`);
}

export async function makePool(stack: StackClient, owner: TestUser, name: string): Promise<string> {
  const { body } = await as(stack, owner)("POST", "/pools", { name });
  return body.data.id;
}
