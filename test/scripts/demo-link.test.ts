import { expect, test } from "bun:test";
import { createDemoLink } from "../../scripts/demo-link.ts";

const DEMO = { name: "demo", password: "secret" };

async function linkFrom(answer: (request: Request) => Response | Promise<Response>, askMsMax?: number) {
  const server = Bun.serve({ port: 0, fetch: answer });
  try {
    return await createDemoLink(`http://127.0.0.1:${server.port}`, DEMO, askMsMax);
  } finally {
    await server.stop(true);
  }
}

test("a link that was asked for in vain has a reason, which npm start says", async () => {
  const refused = await linkFrom(() => new Response("", { status: 503 }));
  expect(refused).toEqual({ failure: "POST /auth/login: 503" });
  const late = await linkFrom(() => new Promise<Response>(() => {}), 50);
  expect(late).toEqual({ failure: expect.stringContaining("timed out") });
});

test("where there is no container there is no link, and nothing to say", async () => {
  const none = await linkFrom(({ url }) =>
    Response.json({ data: url.endsWith("/containers") ? { containers: [] } : { access_token: "t" } }),
  );
  expect(none).toBeUndefined();
});
