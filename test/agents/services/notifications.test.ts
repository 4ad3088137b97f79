import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

describe.skipIf(lacks("root", "ip", "oci"))("notifications of a container", () => {
  let container: ServedContainer;
  let credential: Record<string, string>;
  let quiet: Response;
  beforeAll(async () => {
    container = await servedContainer(newDriver(testPool(10)));
    credential = { authorization: `Bearer ${await container.token()}` };
    // Opened first, so that the other tests pass while nothing happens in it.
    quiet = await container.request(at("stream?display=:2"), { headers: credential });
  });
  afterAll(() => container?.[Symbol.asyncDispose]());

  const at = (path: string) => `${container.urls.notifications}/api/v1/notifications/${path}`;

  test("its health is open, and nothing else is", async () => {
    expect((await container.request(at("health"))).status).toBe(200);
    expect((await container.request(at(":1"))).status).toBe(401);
    expect((await container.request(at("metrics"))).status).toBe(401);
  });

  test("errors have one form, whoever answers", async () => {
    const absent = at("health").replace(container.id, "f".repeat(24));
    for (const [url, headers, status, error] of [
      [at(":1"), {}, 401, "MISSING_TOKEN"],
      [at(":1"), { authorization: "Bearer nonsense" }, 401, "INVALID_TOKEN"],
      [at("nothing/here"), credential, 404, "ROUTE_NOT_FOUND"],
      [absent, {}, 404, "ADDRESS_NOT_FOUND"],
    ] as const) {
      const response = await container.request(url, { headers });
      expect([response.status, await response.json()]).toEqual([
        status,
        { success: false, error, details: expect.any(String) },
      ]);
    }
  });

  test("a notice is sent from within the container, and its history follows as a stream", async () => {
    const stream = await container.request(at("stream?display=:1"), { headers: credential });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const notice = { display: ":1", title: "Backup done", body: "12.4 GB" };
    const sent = await container.request(at("notify"), {
      method: "POST",
      body: JSON.stringify(notice),
      headers: { ...credential, "content-type": "application/json" },
    });
    // There is no desktop in this container: the answer says so, and the history has it.
    expect(sent.status).toBe(502);
    const history = await (await container.request(at(":1"), { headers: credential })).json();
    expect(history).toMatchObject({ notifications: [{ title: "Backup done", error: expect.any(String) }] });
    let heard = "";
    const decoder = new TextDecoder();
    for await (const piece of stream.body ?? []) {
      heard += decoder.decode(piece, { stream: true });
      if (heard.includes("Backup done")) break;
    }
    expect(heard).toContain("event: notification");
  });

  test("a stream in which nothing happens goes on, past the 10 s after which servers give up", async () => {
    let heard = "";
    for await (const piece of quiet.body ?? []) {
      heard += new TextDecoder().decode(piece);
      if (heard.includes("keepalive")) break;
    }
    expect(heard).toContain("keepalive");
  });
});
