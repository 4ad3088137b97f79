import type { EventRecord } from "../../../../../schemas/events.ts";
import type { StackClient } from "../../../../harness/stack-client.ts";

export interface Said<T = EventRecord> {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: T;
}

export const followEvents = (stack: Pick<StackClient, "url">, token: string, lastId?: string) =>
  followStream<EventRecord>(stack, "/api/v1/events/stream", token, lastId);

/** Follows a stream of Server-Sent Events. `said` grows; `ended` tells when the server ends it. */
export async function followStream<T>(
  stack: Pick<StackClient, "url">,
  path: string,
  token: string,
  lastId?: string,
) {
  const abort = new AbortController();
  const response = await fetch(stack.url + path, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastId === undefined ? {} : { "last-event-id": lastId }),
    },
    signal: abort.signal,
  });
  const said: Said<T>[] = [];
  const state = { ended: false };
  const reading = (async () => {
    let rest = "";
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + Buffer.from(chunk).toString()).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const data = field("data");
        if (data !== undefined) said.push({ id: field("id"), event: field("event"), data: JSON.parse(data) });
      }
    }
    state.ended = true;
  })().catch(() => {});
  return {
    response,
    said,
    state,
    ids: () => said.map(({ id }) => id),
    async close() {
      abort.abort();
      await reading;
    },
  };
}
