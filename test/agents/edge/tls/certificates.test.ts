import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { pino } from "pino";
import {
  type Certificate,
  givenCertificate,
  localCertificate,
  trusted,
} from "../../../../agents/edge/tls/certificates.ts";
import { certificateFiles } from "../../../../system/certificate-files.ts";
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

test("changed files are used for new connections, and open ones go on; files that do not fit change nothing", async () => {
  const folder = temporaryFolder();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const certificates = await Promise.all(
    ["one.example", "two.example"].map((domain) => localCertificate(join(folder, domain), domain)),
  );
  const write = ([{ chain }, { key }]: readonly [{ chain: string }, { key: string }]) => {
    writeFileSync(files.cert, chain);
    writeFileSync(files.key, key);
  };
  const [first, second] = certificates as [Certificate, Certificate];
  write([first, first]);
  const current = givenCertificate(files.cert, files.key);
  await using started = await startEdge({ certificate: current });
  const { edge } = started;
  const log = pino({ level: "silent" });
  const watch = certificateFiles({
    files,
    current,
    log,
    replace: (next) => edge.replaceCertificate(trusted(next)),
  });
  const check = () => watch.reconcile(new AbortController().signal);
  const open = () =>
    new Promise<TLSSocket>((resolve, reject) => {
      const options = { port: edge.httpsPort, host: "127.0.0.1", rejectUnauthorized: false };
      const socket = connect(options, () => resolve(socket)).once("error", reject);
    });
  const namesOf = (socket: TLSSocket) => socket.getPeerCertificate().subjectaltname;
  const before = await open();
  write([second, first]);
  await check();
  const between = await open();
  expect(namesOf(between)).toContain("one.example");
  write([second, second]);
  await check();
  const after = await open();
  expect(namesOf(after)).toContain("two.example");
  const answer = new Promise((resolve) => before.once("data", (bytes) => resolve(String(bytes))));
  before.write("GET / HTTP/1.1\r\nHost: nothing.example\r\n\r\n");
  expect(await answer).toStartWith("HTTP/1.1 404");
  for (const socket of [before, between, after]) socket.destroy();
});

describe.skipIf(lacks("openssl"))("whoever steals the authority's key", () => {
  const openssl = (...argv: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["openssl", ...argv]);
    return { code: exitCode, said: `${stdout}${stderr}` };
  };

  /** Signs a certificate for the given names by the authority in `folder`, and asks openssl what it thinks of it. */
  function forge(folder: string, names: string): { code: number | null; said: string } {
    const at = (name: string) => join(folder, name);
    const request = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      at("forged.key"),
    ];
    const made = openssl("req", ...request, "-subj", "/CN=Berth edge", "-out", at("forged.csr"));
    expect(made.code).toBe(0);
    writeFileSync(at("forged.ext"), `subjectAltName=${names}\nextendedKeyUsage=serverAuth\n`);
    const issuer = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "7"];
    const signed = openssl(
      ...[
        "x509",
        "-req",
        "-in",
        at("forged.csr"),
        ...issuer,
        "-extfile",
        at("forged.ext"),
        "-out",
        at("forged.pem"),
      ],
    );
    expect(signed.code).toBe(0);
    return openssl("verify", "-purpose", "sslserver", "-CAfile", at("ca.pem"), at("forged.pem"));
  }

  test("can forge names of this host, and no other name or address", async () => {
    const folder = join(temporaryFolder(), "tls");
    await localCertificate(folder, HOSTS);
    expect(openssl("verify", "-CAfile", join(folder, "ca.pem"), join(folder, "leaf.pem")).code).toBe(0);
    expect(forge(folder, `DNS:anything.${HOSTS},DNS:${HOSTS}`).code).toBe(0);
    for (const names of [
      "DNS:bank.example",
      "DNS:*.example.com",
      `DNS:bank.example,DNS:a.${HOSTS}`,
      `DNS:a${HOSTS}`,
    ]) {
      const { code, said } = forge(folder, names);
      expect([names, code]).not.toEqual([names, 0]);
      expect(said).toContain("permitted subtree violation");
    }
    for (const names of ["IP:127.0.0.1", "IP:203.0.113.9", "IP:2001:db8::1"]) {
      const { code, said } = forge(folder, names);
      expect([names, code]).not.toEqual([names, 0]);
      expect(said).toContain("excluded subtree violation");
    }
  });

  test("has one without limits no longer: it is replaced, and the operator is told", async () => {
    const folder = join(temporaryFolder(), "tls");
    mkdirSync(folder, { recursive: true });
    const [key, cert] = [join(folder, "ca.key"), join(folder, "ca.pem")];
    const old = openssl(
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-subj", "/CN=Berth local authority", "-days", "3650", "-keyout", key, "-out", cert],
    );
    expect(old.code).toBe(0);
    const before = readFileSync(cert, "utf8");
    expect(forge(folder, "DNS:bank.example").code).toBe(0);
    const notices: string[] = [];
    await localCertificate(folder, HOSTS, (line) => notices.push(line));
    expect(readFileSync(cert, "utf8")).not.toBe(before);
    expect(notices).toEqual([expect.stringContaining(`trust ${cert} again`)]);
    expect(forge(folder, "DNS:bank.example").code).not.toBe(0);
    await localCertificate(folder, HOSTS, (line) => notices.push(line));
    expect(notices).toHaveLength(1);
  });
});

test.skipIf(lacks("curl"))(
  "who trusts the authority trusts every name of the host, and no name of another",
  async () => {
    const folder = temporaryFolder();
    await using edge = await startEdge({ certificate: await localCertificate(folder, HOSTS) });
    const authority = join(folder, "ca.pem");
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

test.skipIf(lacks("openssl"))(
  "a client that does not speak HTTP/1.1, or only suites without authenticated encryption, is refused in the handshake",
  async () => {
    await using edge = await startEdge();
    const connect = async (...args: string[]) => {
      const address = `127.0.0.1:${edge.edge.httpsPort}`;
      const child = Bun.spawn(["openssl", "s_client", "-connect", address, ...args], {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      const protocol = /^ALPN protocol: (.*)$/m.exec(out)?.[1];
      return protocol ?? /alert (no application protocol|handshake failure|protocol version)/.exec(err)?.[1];
    };
    expect(await connect("-alpn", "h2,http/1.1")).toBe("http/1.1");
    expect(await connect("-alpn", "h2")).toBe("no application protocol");
    expect(await connect("-tls1_2")).toBeUndefined();
    for (const suite of ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA"]) {
      const refused = await connect("-tls1_2", "-cipher", `${suite}:@SECLEVEL=0`);
      expect([suite, refused]).toEqual([suite, "handshake failure"]);
    }
    expect(await connect("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")).toBe("protocol version");
  },
);
