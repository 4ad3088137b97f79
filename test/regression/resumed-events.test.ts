import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect as connectNats, type NatsConnection } from "nats";
import { newId } from "../../actors/platform/ids.ts";
import { EVENT_SUBJECT } from "../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { until } from "../harness/until.ts";

let stack: EmbeddedStack;
let nats: NatsConnection;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  const { host, username, password } = new URL(stack.nats.url);
  nats = await connectNats({ servers: host, user: username, pass: password });
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});

/** Follows until it has said what is waited for, and answers the ids that it said. */
async function resume(
  user: TestUser,
  lastId: string,
  isEnough: (text: string) => boolean,
): Promise<string[]> {
  const abort = new AbortController();
  const response = await fetch(`${stack.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${user.token}`, "last-event-id": lastId },
    signal: abort.signal,
  });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (isEnough(text) || text.includes("event: gap")) break;
  }
  abort.abort();
  return [...text.matchAll(/^(?:id|event): ([0-9a-f]{24}|gap)$/gm)].map(([, id]) => id as string);
}

/** Events that stand in the log; those that are heard are in the gateway's memory too. */
async function happened(user: TestUser, n: number, heard?: (id: string) => unknown): Promise<string[]> {
  const events = Array.from({ length: n }, () => ({
    id: newId(),
    event_type: "user.logged_in",
    resource_type: "user",
    resource_id: user.id,
    user_id: user.id,
    project_id: null,
    container_id: null,
    realm_id: null,
    data: { filling: "x".repeat(900) },
  }));
  const from = Date.now();
  const at = (i: number) => new Date(from + i);
  await stack.db`INSERT INTO events ${stack.db(
    events.map((event, i) => ({ ...event, data: event.data as never, created_at: at(i) })),
  )}`;
  for (const [i, event] of heard === undefined ? [] : events.entries()) {
    const told = { partition: 0, seq: i, ...event, created_at: at(i).toISOString() };
    nats.publish(EVENT_SUBJECT, JSON.stringify([told]));
    // Whoever listens must keep up.
    if (i % 100 === 99) await heard?.(event.id);
  }
  await nats.flush();
  return events.map(({ id }) => id);
}

/** A gateway listens, and remembers, while somebody follows. `heard` resolves when this one was told of an event. */
async function listening(user: TestUser) {
  const abort = new AbortController();
  const { body } = await fetch(`${stack.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: abort.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  await until(() => text.includes("retry: "));
  return {
    heard: (id: string) => until(() => text.includes(`id: ${id}\n`)),
    async close() {
      abort.abort();
      await reading;
    },
  };
}

/** An event of the log's last, by which a test knows that the stream has said all. */
const project = async (user: TestUser, name: string): Promise<string> => {
  await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } });
  const { body } = await stack.call("GET", "/api/v1/events?limit=1", { token: user.token });
  return body.data.events[0].id;
};

test.each([
  ["the gateway's memory", true],
  ["the log", false],
])(
  "a megabyte of events that were missed comes from %s, all of it",
  async (_where, isHeard) => {
    const user = await stack.user();
    const listener = await listening(user);
    const [first = "", ...missed] = await happened(user, 970, isHeard ? listener.heard : undefined);
    const last = missed.at(-1) ?? "";
    const told = await resume(user, first, (text) => text.includes(`id: ${last}\n`));
    expect(told.slice(-missed.length)).toEqual(missed);
    expect(told).not.toContain("gap");
    await listener.close();
  },
  30_000,
);

test.each([
  ["the gateway's memory", true],
  ["the log", false],
])(
  "who missed more than a thousand events is told of a gap, by %s",
  async (_where, isHeard) => {
    const user = await stack.user();
    const listener = await listening(user);
    const [first = ""] = await happened(user, 1_100, isHeard ? listener.heard : undefined);
    expect(await resume(user, first, (text) => text.includes("event: gap\n"))).toEqual(["gap"]);
    await listener.close();
  },
  30_000,
);

test("what was deleted is not resumed, neither one event nor all that a filter met", async () => {
  const user = await stack.user();
  const listener = await listening(user);
  const first = await project(user, "first");
  const single = await project(user, "single");
  const left = await project(user, "left");
  const made = await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name: "gone" } });
  await stack.call("DELETE", `/api/v1/projects/${made.body.data.id}`, { token: user.token });
  await stack.call("DELETE", `/api/v1/events/${single}`, { token: user.token });
  await stack.call("DELETE", "/api/v1/events", {
    token: user.token,
    body: { resource_id: made.body.data.id },
  });
  const last = await project(user, "last");
  await listener.heard(last);
  const told = await resume(user, first, (text) => text.includes(`id: ${last}\n`));
  expect(told).toEqual([left, last]);
  // Once its rows are gone the deletion itself is forgotten.
  await until(async () => {
    const rows = await stack.db`SELECT 1 FROM event_erasures WHERE user_id = ${user.id}`;
    return rows.length === 0;
  });
  expect(await resume(user, first, (text) => text.includes(`id: ${last}\n`))).toEqual([left, last]);
  await listener.close();
});
