import { afterAll, expect, test } from "bun:test";
import { newId } from "../../network/nft/rules.ts";
import { RawClient } from "../../pipe/raw-client.ts";
import { signer } from "../edge-under-test.ts";
import { bearer, startProtectedEdge } from "./protected-edge.ts";

const { edge, user, projectId, container, host, addressOf, enter, overTls, close } =
  await startProtectedEdge();
afterAll(close);

/** A request as it goes out, since a client of ours would write it in its own way. */
function textOf(where: string, path: string, { method = "GET", headers = {}, body }: RequestInit): string {
  const fields = Object.entries(headers as Record<string, string>).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = typeof body === "string" ? `Content-Length: ${body.length}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nHost: ${where}\r\n${fields.join("")}${length}\r\n${body ?? ""}`;
}

test("another's container answers as one that is not there", async () => {
  const [theirs, missing] = [edge.container({ projectId, grants: [newId()] }), newId()];
  const answers = await Promise.all(
    [theirs, missing].map(async (id) => {
      const token = await edge.signer.forContainer(user, id);
      expect((await edge.request(`/?access_token=${token}`, addressOf(id))).status).toBe(404);
      const response = await edge.request("/", addressOf(id), bearer(token));
      return [response.status, await response.text()];
    }),
  );
  expect(answers[0]?.[0]).toBe(404);
  expect(answers[0]).toEqual(answers[1] ?? []);
  const own = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", addressOf(container, newId()), bearer(own))).status).toBe(404);
});

test("without a valid credential an address of a container says the same whether or not there is the container", async () => {
  const elsewhere = edge.container({ projectId: newId(), grants: [user] });
  const addresses = [
    host,
    addressOf(edge.container({ projectId, grants: [newId()] })),
    addressOf(newId()),
    addressOf(newId(), newId()),
    // It is there, but not of this project.
    addressOf(elsewhere),
  ];
  const forged = await (await signer()).forContainer(user, container);
  const stranger = await edge.signer.forContainer(newId(), newId());
  const session = `__Host-berth_session=${"A".repeat(200)}.${"A".repeat(43)}`;
  const asked: [string, RequestInit, number][] = [
    ["/", {}, 401],
    ["/", { headers: { accept: "text/html" } }, 401],
    ["/a/b?c=d", { method: "POST", body: "x" }, 401],
    ["/", { method: "HEAD" }, 401],
    ["/", { headers: { connection: "upgrade", upgrade: "websocket", origin: "https://x" } }, 401],
    ["/", bearer("x"), 401],
    ["/", bearer(forged), 401],
    [`/?access_token=${forged}`, {}, 401],
    ["/", { headers: { cookie: session } }, 401],
    ["/", { headers: { cookie: session, origin: "null" } }, 401],
    ["/", { method: "TRACE" }, 405],
    // Somebody, but not here.
    ["/", bearer(stranger), 404],
    [`/?access_token=${stranger}`, {}, 404],
  ];
  for (const [path, init, status] of asked) {
    const answers = await Promise.all(
      addresses.map((where) =>
        overTls(textOf(where, path, init)).then((text) =>
          // A page names the address at which it was asked for.
          text.replace(/^Date: .*$/m, "").replace(`https://${where}`, "https://address"),
        ),
      ),
    );
    expect(answers[0]).toStartWith(`HTTP/1.1 ${status} `);
    expect(new Set(answers).size).toBe(1);
  }
  for (const where of addresses) {
    const client = await RawClient.connect(edge.edge.httpPort);
    client.send(`GET /x HTTP/1.1\r\nHost: ${where}\r\n\r\n`);
    expect((await client.response()).status).toBe(303);
  }
});

test("an address of no container lets nobody in, whoever they are", async () => {
  const id = edge.container({ projectId, grants: [user] });
  const where = addressOf(id);
  const token = await edge.signer.forContainer(user, id);
  const cookie = await enter(where, token);
  // Its container, under another project: nothing is given for it.
  const wrong = addressOf(id, newId());
  const link = await edge.request(`/?access_token=${token}`, wrong);
  expect([link.status, link.headers.get("set-cookie")]).toEqual([404, null]);
  edge.containers.delete(id);
  expect((await edge.request("/", where, bearer(token))).status).toBe(404);
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(404);
  expect((await edge.request("/open", where)).status).toBe(404);
});

test("a token for one container enters that one and no other", async () => {
  const token = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", host, bearer(token))).status).toBe(200);
  await enter(host, token);
  const other = addressOf(edge.container({ projectId, grants: [user] }));
  expect((await edge.request("/", other, bearer(token))).status).toBe(404);
});
