import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, sharedWatchdog, temporaryFolder } from "./servers.ts";
import { until } from "./until.ts";

/** An ACME authority on this machine that checks as a public one does: Pebble, and a name server that tests write to. */
export interface AcmeAuthority {
  /** Settings by which actor hosts use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The file of the root under which its certificates are. */
  readonly rootFile: string;
  /** The address of the name server. */
  readonly dns: string;
  /** A program that makes and removes TXT records. */
  readonly dnsHook: string;
  /** Sets records: `set("add-a", { host: "a.example.", addresses: ["127.0.0.1"] })`. */
  set(what: string, record: object): Promise<void>;
  /** Begins to answer. @param httpPort where it looks for the answers to HTTP-01 challenges */
  start(httpPort: number): Promise<void>;
  stop(): Promise<void>;
}

export async function acmeAuthority(): Promise<AcmeAuthority> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const request = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  const subject = ["-subj", "/CN=authority", "-addext", "subjectAltName=IP:127.0.0.1"];
  Bun.spawnSync(["openssl", ...request, ...subject, "-keyout", at("own.key"), "-out", at("own.pem")]);
  const [port, management, dnsPort, records] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const dns = `127.0.0.1:${dnsPort}`;
  const launch = (argv: string[], env: Record<string, string> = {}) => {
    const child = Bun.spawn(argv, {
      stdout: "ignore",
      stderr: Bun.file(at(`${argv[0]}.log`)),
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    sharedWatchdog().watch(child.pid, "TERM");
    void child.exited.then(() => sharedWatchdog().forget(child.pid));
    return child;
  };
  const nameServer = launch([
    ...["pebble-challtestsrv", "-dns01", dns, "-management", `127.0.0.1:${records}`],
    ...["-defaultIPv4", "", "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""],
  ]);
  const set = async (what: string, record: object) => {
    const { ok } = await fetch(`http://127.0.0.1:${records}/${what}`, {
      method: "POST",
      body: JSON.stringify(record),
    });
    if (!ok) throw new Error(`the name server refused ${what}`);
  };
  await until(async () => (await fetch(`http://127.0.0.1:${records}/`).catch(() => undefined)) !== undefined);
  writeFileSync(
    at("hook"),
    `#!/bin/sh
case $1 in
  present) curl -fsS -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" http://127.0.0.1:${records}/set-txt ;;
  cleanup) curl -fsS -d "{\\"host\\":\\"$2.\\"}" http://127.0.0.1:${records}/clear-txt ;;
esac
`,
    { mode: 0o755 },
  );
  let server: Bun.Subprocess | undefined;
  return {
    env: {
      BERTH_ACME_URL: `https://127.0.0.1:${port}/dir`,
      BERTH_ACME_TERMS_AGREED: "yes",
      BERTH_ACME_EMAIL: "ops@example.org",
      BERTH_ACME_ROOT: at("own.pem"),
    },
    rootFile: at("root.pem"),
    dns,
    dnsHook: at("hook"),
    set,
    async start(httpPort) {
      const pebble = {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: at("own.pem"),
        privateKey: at("own.key"),
        httpPort,
        tlsPort: httpPort,
        ocspResponderURL: "",
        externalAccountBindingRequired: false,
      };
      writeFileSync(at("pebble.json"), JSON.stringify({ pebble }));
      server = launch(["pebble", "-config", at("pebble.json"), "-dnsserver", dns], {
        // It otherwise waits some seconds before each check.
        PEBBLE_VA_NOSLEEP: "1",
        PEBBLE_WFE_NONCEREJECT: "10",
      });
      const root = await until(async () => {
        const reply = await fetch(`https://127.0.0.1:${management}/roots/0`, {
          tls: { rejectUnauthorized: false },
        });
        return reply.ok && reply.text();
      });
      writeFileSync(at("root.pem"), root);
    },
    async stop() {
      for (const child of [server, nameServer]) {
        child?.kill();
        await child?.exited;
      }
    },
  };
}
