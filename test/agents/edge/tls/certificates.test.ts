import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { localCertificate } from "../../../../agents/edge/tls/certificates.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { lacks } from "../../requirements.ts";
import { HOSTS, startEdge } from "../edge-under-test.ts";

test("the authority and the certificate are made once, and the keys are this user's alone", async () => {
  const folder = join(temporaryFolder(), "tls");
  const first = await localCertificate(folder, HOSTS);
  expect(await localCertificate(folder, HOSTS)).toEqual(first);
  for (const file of ["ca.key", "leaf.key"]) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const moved = await localCertificate(folder, "node-2.example.com");
  expect(moved.authorityFile).toBe(first.authorityFile);
  expect(moved.chain).not.toBe(first.chain);
});

test.skipIf(lacks("curl"))(
  "who trusts the authority trusts every name of the host, and no name of another",
  async () => {
    await using edge = await startEdge();
    const authority = join(edge.folder, "tls/ca.pem");
    expect(readFileSync(authority, "utf8")).toContain("BEGIN CERTIFICATE");
    const curl = async (name: string) => {
      const { httpsPort } = edge.edge;
      const child = Bun.spawn(
        [
          "curl",
          "-sS",
          "--cacert",
          authority,
          "--resolve",
          `${name}:${httpsPort}:127.0.0.1`,
          `https://${name}:${httpsPort}/`,
        ],
        { stdout: "pipe", stderr: "pipe" },
      );
      return { code: await child.exited, text: (await child.stdout.text()) + (await child.stderr.text()) };
    };
    const known = await curl(`any.${HOSTS}`);
    expect([known.code, known.text]).toMatchObject([0, expect.stringContaining("ADDRESS_NOT_FOUND")]);
    expect((await curl("any.node-2.berth.localhost")).code).toBe(60);
  },
);
