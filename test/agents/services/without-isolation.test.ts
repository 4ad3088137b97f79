import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ProcessDriver } from "../../../agents/sandbox/process.ts";
import { TestClient } from "../terminal/service.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

setDefaultTimeout(60_000);

let container: ServedContainer;
let credential: Record<string, string>;
beforeAll(async () => {
  container = await servedContainer(new ProcessDriver(null));
  credential = { authorization: `Bearer ${await container.token()}` };
});
afterAll(() => container?.[Symbol.asyncDispose]());

test("where containers are plain processes, a terminal begins in the container's folder, as the user who runs the host", async () => {
  const { host, origin } = new URL(container.urls.terminal);
  const page = await (
    await container.request(`${container.urls.terminal}/?shell=sh`, { headers: credential })
  ).text();
  const { token } = JSON.parse(/id="boot"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "{}");
  const at = `https://127.0.0.1:${container.edge.httpsPort}`;
  const client = await TestClient.attach(at, token, { cols: 200, rows: 24 }, { host, origin, ...credential });
  client.type("echo in $(pwd) as $(id -u)\n");
  await client.shows(`in ${join(container.folder, "root")} as ${process.getuid?.()}`);
  client.close();
  const other = await container.request(`${container.urls.terminal}/?user=nobody`, { headers: credential });
  expect(other.status).toBe(400);
});
