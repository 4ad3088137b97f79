import { BerthError, type components, createClient } from "../../../../client/index.ts";
import { accessToken } from "./session.ts";

export { BerthError };
export type Schemas = components["schemas"];

const asUser = { url: location.origin, token: async () => (await accessToken()) ?? "" };

/** The API, as the user who is signed in. It throws `BerthError` where the API refuses. */
export const api = createClient(asUser);

/** For readings that are asked for again and again: one that fails is followed by the next, and is not sent again itself. */
export const polledApi = createClient({ ...asUser, attemptsMax: 1 });

/** What a reply holds, out of its envelope: `await dataOf(api.GET("/api/v1/auth/me"))`. */
export async function dataOf<T>(call: Promise<{ data?: { data: T } }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new Error("The reply is empty");
  return data.data;
}

/** The whole reply, for lists whose pagination stands beside their data. */
export async function replyOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new Error("The reply is empty");
  return data;
}
