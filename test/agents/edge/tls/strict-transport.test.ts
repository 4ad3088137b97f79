import { expect, test } from "bun:test";
import { join } from "node:path";
import { localCertificate } from "../../../../agents/edge/tls/certificates.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { HOSTS, startEdge } from "../edge-under-test.ts";

/** HSTS (RFC 6797), for the edge's own answers and for those of programs behind it. */

const STRICT = "strict-transport-security";

test("with a certificate of the operator's, answers over https say that https is the only way", async () => {
  const local = await localCertificate(join(temporaryFolder(), "tls"), HOSTS);
  await using edge = await startEdge({ certificate: { ...local, authorityFile: null } });
  using program = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  const name = edge.expose("web", program.port as number);
  const served = await edge.request("/", name);
  expect([await served.text(), served.headers.get(STRICT)]).toEqual(["hello", "max-age=31536000"]);
  const absent = await edge.request("/", `nobody.${HOSTS}`);
  expect([absent.status, absent.headers.get(STRICT)]).toEqual([404, "max-age=31536000"]);
  for (const host of [name, `nobody.${HOSTS}`]) {
    const plain = await fetch(`http://127.0.0.1:${edge.edge.httpPort}/`, {
      headers: { host },
      keepalive: false,
    });
    expect(plain.headers.get(STRICT)).toBeNull();
  }
});

test("with the local authority's, no answer does: a browser that was told so would refuse to go on at the warning", async () => {
  await using edge = await startEdge();
  using program = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  const name = edge.expose("web", program.port as number);
  for (const host of [name, `nobody.${HOSTS}`]) {
    expect((await edge.request("/", host)).headers.get(STRICT)).toBeNull();
  }
});
