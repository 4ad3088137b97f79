import { afterAll, expect, test } from "bun:test";
import { SignJWT } from "jose";
import { firstRefreshToken, textOf as refreshTokenText } from "../../../../gateway/auth/refresh-tokens.ts";
import { newId } from "../../network/nft/rules.ts";
import { RawClient } from "../../pipe/raw-client.ts";
import { signer } from "../edge-under-test.ts";
import { rawTarget } from "../raw-target.ts";
import { bearer, startProtectedEdge } from "./protected-edge.ts";

const { edge, user, container, host, enter, close } = await startProtectedEdge();
afterAll(close);

/** Credentials of the API: an access token, an API token and a refresh token. */
const apiCredentials = async () => [
  await edge.signer.access(user),
  await (await signer()).access(user),
  `berth_${newId()}_${"a".repeat(43)}`,
  refreshTokenText(firstRefreshToken(newId(), newId())),
];

test("a credential of the API is refused wherever it stands, with what to use, and reaches no code of a container", async () => {
  const target = rawTarget();
  const port = edge.expose("port", target.port, { container_id: container });
  const cookie = await enter();
  for (const secret of await apiCredentials()) {
    const basic = Buffer.from(`somebody:${secret}`).toString("base64");
    const encoded = secret.replace(/^./, (one) => `%${one.charCodeAt(0).toString(16)}`);
    const attempts: [path: string, headers: Record<string, string>][] = [
      ["/", { authorization: `Bearer ${secret}` }],
      ["/", { authorization: `token ${secret}` }],
      ["/", { authorization: `Digest username="x", response="${secret}"` }],
      ["/", { cookie: `a=b; token=${secret}` }],
      [
        "/",
        { cookie: `session=${Buffer.from(JSON.stringify({ access_token: secret })).toString("base64")}` },
      ],
      ["/", { "x-api-key": secret }],
      ["/", { referer: `https://x.example/?access_token=${secret}` }],
      ["/", { "sec-websocket-protocol": `bearer, ${secret}` }],
      [`/?access_token=${secret}`, {}],
      [`/?a=b&other=${encoded}`, {}],
      [`/?other=${encoded.replaceAll("%", "%25252525")}`, {}],
      [`/?other=%u00${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`, {}],
      [`/x/${secret}/y`, {}],
      [`/open?access_token=${secret}`, {}],
    ];
    if (secret.startsWith("berth_")) attempts.push(["/", { authorization: `bAsIc ${basic}` }]);
    for (const [path, headers] of attempts) {
      const credentials = headers.cookie === undefined ? { cookie, ...headers } : headers;
      for (const where of [host, port]) {
        const response = await edge.request(path, where, { headers: credentials });
        const answer = (await response.json()) as { code: string; message: string };
        expect([path, headers, where, response.status, answer.code]).toEqual([
          path,
          headers,
          where,
          401,
          "CONTAINER_TOKEN_REQUIRED",
        ]);
        expect(answer.message).toContain("/api/v1/containers/{id}/access");
      }
    }
    // Over plain HTTP it is not sent on to https either.
    const client = await RawClient.connect(edge.edge.httpPort);
    client.send(`GET /?access_token=${secret} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect((await client.next()).status).toBe(401);
    client.reset();
  }
  expect(target.connections).toBe(0);
  target.stop();
});

test("a token for a container is for its services: a port gets none, and other credentials are the port's own", async () => {
  const target = rawTarget();
  const port = edge.expose("own", target.port, { container_id: container });
  const token = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", port, bearer(token))).status).toBe(401);
  expect(target.connections).toBe(0);
  const own = new SignJWT({ sub: "x" }).setProtectedHeader({ alg: "HS256", typ: "at+jwt" }).setIssuer("app");
  const jwt = await own.sign(new Uint8Array(32));
  const client = await edge.raw();
  const basic = Buffer.from("someone:secret").toString("base64");
  client.send(`GET / HTTP/1.1\r\nHost: ${port}\r\nAuthorization: Basic ${basic}\r\nX-Token: ${jwt}\r\n\r\n`);
  const request = await target.next();
  expect(request.head).toContain(`Authorization: Basic ${basic}\r\nX-Token: ${jwt}\r\n`);
  client.reset();
  target.stop();
});
