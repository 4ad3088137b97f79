import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { countCertificates, readKeyAuthorization } from "../../../actors/hosting/certificate/queries.ts";
import { newId } from "../../../actors/platform/ids.ts";
import { readHostFacts } from "../../../agents/control-plane/host-facts.ts";
import { checkIssuing } from "../../../scripts/doctor/certificates.ts";
import { type Agent, startAgent } from "../../agents/agent-process.ts";
import { lacks } from "../../agents/requirements.ts";
import { type AcmeAuthority, acmeAuthority } from "../../harness/acme-authority.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { aliasTenant } from "../routes/hosting/alias/aliasing.ts";

/** Certificates come from a real ACME server, which looks at the names of this machine as a public one does. */

const API = "api.berth.test";
const UNREACHABLE = "elsewhere.berth.test";
const DOMAIN = "cloud.test";
/** The edges have an address of their own, since the authority looks at one port of every name. */
const EDGE = "127.0.0.2";

/** What curl says of an address of a name, with no other trust than in the authority's root. */
async function visit(root: string, name: string, address: string, port: number, ...options: string[]) {
  const child = Bun.spawn(
    [
      ...["curl", "-sS", "--cacert", root, "--resolve", `${name}:${port}:${address}`, "-o", "/dev/null"],
      ...["-w", "%{http_code} %{http_version}", ...options, `https://${name}:${port}/health/live`],
    ],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [said, failed] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return (await child.exited) === 0 ? said : failed.trim();
}

describe.skipIf(lacks("pebble", "pebble-challtestsrv", "openssl", "curl"))(
  "an operator who names an ACME authority",
  () => {
    let authority: AcmeAuthority;
    let stack: EmbeddedStack;
    let agent: Agent;
    let tlsPort: number;
    let edgePort: number;
    const data = temporaryFolder();

    beforeAll(async () => {
      authority = await acmeAuthority();
      tlsPort = await freePort();
      edgePort = await freePort();
      stack = await startEmbeddedStack({
        servers: ["http-1"],
        env: {
          ...authority.env,
          BERTH_ACME_NAMES: `${API},${UNREACHABLE}`,
          BERTH_CONTAINER_DOMAIN: DOMAIN,
          BERTH_TLS_PORT: String(tlsPort),
        },
      });
      const httpPort = Number(new URL(stack.url).port);
      await authority.set("add-a", { host: `${API}.`, addresses: ["127.0.0.1"] });
      await authority.start(httpPort);
      agent = startAgent({
        ...{
          natsUrl: stack.agentUrl("http-1"),
          server: "http-1",
          data,
          driver: "process",
          subnet: "",
          edgePort,
        },
        env: {
          BERTH_CONTAINER_DOMAIN: DOMAIN,
          BERTH_EDGE_LISTEN: EDGE,
          BERTH_EDGE_HTTP_PORT: String(httpPort),
        },
      });
      await agent.ready();
    });
    afterAll(async () => {
      await agent?.stop();
      await stack?.stop();
      await authority?.stop();
    });

    const api = (...options: string[]) => visit(authority.rootFile, API, "127.0.0.1", tlsPort, ...options);

    test("gets a certificate for the API, which is served by HTTP/2 and by HTTP/1.1", async () => {
      await until(async () => (await api("--http2")) === "200 2");
      expect(await api("--http1.1")).toBe("200 1.1");
      const { headers } = await fetch(`https://127.0.0.1:${tlsPort}/health/live`, {
        tls: { rejectUnauthorized: false },
      });
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    });

    test("has it renewed when two thirds of its life are over, without a client that notices", async () => {
      const issued = async () => {
        const [row] =
          await stack.db`SELECT chain, due_at, not_before, not_after FROM certificates WHERE name = ${API}`;
        return row as { chain: string; due_at: Date; not_before: Date; not_after: Date };
      };
      await until(async () => (await issued())?.chain);
      const first = await issued();
      const [life, used] = [first.not_after, first.due_at].map(
        (end) => end.getTime() - first.not_before.getTime(),
      );
      expect((used ?? 0) / (life ?? 1)).toBeCloseTo(2 / 3, 5);
      await stack.db`UPDATE certificates SET due_at = now() WHERE name = ${API}`;
      await until(async () => (await issued()).chain !== first.chain);
      const second = await issued();
      expect(second.due_at.getTime()).toBeGreaterThan(Date.now());
      const chainOf = async () => {
        const child = Bun.spawn(
          ["openssl", "s_client", "-connect", `127.0.0.1:${tlsPort}`, "-servername", API],
          {
            ...{ stdin: "ignore", stdout: "pipe", stderr: "ignore" },
          },
        );
        return child.stdout.text();
      };
      const leaf = second.chain.slice(0, second.chain.indexOf("-----END")).trim();
      await until(async () => (await chainOf()).includes(leaf));
      expect(await api("--http2")).toBe("200 2");
    });

    test("is told which name cannot be proven, and why, by berth doctor; the others have theirs", async () => {
      const [failing] = await until(async () => {
        const found = await checkIssuing(stack.db);
        return found.some(({ state }) => state !== "ok") && found;
      });
      expect(failing?.state).toBe("fault");
      expect(failing?.found).toStartWith(`${UNREACHABLE}: 1 orders failed, there is none yet; `);
      const [row] =
        await stack.db`SELECT due_at - updated_at > interval '4 minutes' AS waits FROM certificates WHERE name = ${UNREACHABLE}`;
      expect(row?.waits).toBe(true);
    });

    test("sees in the API which certificate fails, why and when it is tried next, and has it tried now", async () => {
      const [operator, user] = [await stack.user({ role: "admin" }), await stack.user()];
      const ask = (method: string, path: string, token = operator.token) =>
        stack.call(method, `/api/v1/admin/certificates${path}`, { token });
      const failing = async () => (await ask("GET", "?state=failing")).body.data.certificates[0];
      const before = await failing();
      expect(before).toMatchObject({ name: UNREACHABLE, purpose: "gateway", not_after: null });
      expect(before.error).toContain(UNREACHABLE);
      expect(Date.parse(before.next_try_at)).toBeGreaterThan(Date.now());
      const { body } = await ask("GET", `?state=issued&search=${API}`);
      expect(body.data.certificates).toMatchObject([{ name: API, failures: 0, error: null }]);
      const [{ not_after }] = body.data.certificates;
      const early = await ask("GET", `?search=${API}&ends_before=${not_after}`);
      expect(early.body.data.count).toBe(0);
      expect(JSON.stringify(body)).not.toContain("BEGIN");

      expect((await ask("POST", `/${before.id}/retry`)).status).toBe(200);
      const after = await until(async () => {
        const now = await failing();
        return now.failures > before.failures && now;
      });
      expect(Date.parse(after.next_try_at)).toBeGreaterThan(Date.parse(before.next_try_at));
      const audit = await stack.call("GET", "/api/v1/admin/audit?act=certificate_retried", {
        token: operator.token,
      });
      expect(audit.body.data.entries).toMatchObject([
        { by_id: operator.id, resource_id: before.id, data: { name: UNREACHABLE } },
      ]);
      expect((await ask("POST", `/${newId()}/retry`)).body.code).toBe("CERTIFICATE_NOT_FOUND");
      expect((await ask("POST", `/${before.id}/retry`, user.token)).status).toBe(403);
    });

    test("finds no private key in the database, and no challenge after an order", async () => {
      const rows =
        await stack.db`SELECT row_to_json(c)::text || row_to_json(a)::text AS text, c.challenge FROM certificates c, acme_accounts a WHERE c.chain IS NOT NULL`;
      expect(rows.length).toBeGreaterThan(0);
      for (const { text, challenge } of rows) {
        expect(text).not.toContain("PRIVATE KEY");
        expect(challenge).toBeNull();
      }
      expect(await readKeyAuthorization(stack.db, "a-token-of-nobody")).toBeUndefined();
      expect((await stack.call("GET", "/.well-known/acme-challenge/a-token-of-nobody")).status).toBe(404);
    });

    test("without a hook for DNS: an alias gets its certificate while its first visitor waits, and a name of nobody gets none", async () => {
      const ours = await aliasTenant(stack, "http-1");
      await ours.exposed({ alias: "shop", program: "http:8080" });
      const name = `shop.http-1.${DOMAIN}`;
      await authority.set("add-a", { host: `${name}.`, addresses: [EDGE] });
      // The target does not exist: what counts is that the edge answers behind a certificate that the root vouches for.
      expect(
        await until(async () => /^\d+ 1\.1$/.exec(await visit(authority.rootFile, name, EDGE, edgePort))),
      ).toBeTruthy();
      expect(await visit(authority.rootFile, `nothing.http-1.${DOMAIN}`, EDGE, edgePort)).toContain(
        "certificate",
      );
      const kept = await stack.db`SELECT name FROM certificates WHERE purpose = 'name'`;
      expect(kept.map((row) => row.name)).toEqual([name]);
    });
  },
);

describe.skipIf(lacks("pebble", "pebble-challtestsrv", "openssl", "curl"))(
  "an operator who has a hook for DNS",
  () => {
    test("has one certificate for all names of each host, which a host keeps for times without a control plane", async () => {
      const authority = await acmeAuthority();
      const edgePort = await freePort();
      const stack = await startEmbeddedStack({
        servers: ["dns-1"],
        env: { ...authority.env, BERTH_ACME_DNS_HOOK: authority.dnsHook, BERTH_CONTAINER_DOMAIN: DOMAIN },
      });
      const options = {
        ...{ natsUrl: stack.agentUrl("dns-1"), server: "dns-1", data: temporaryFolder() },
        ...{ driver: "process" as const, subnet: "", edgePort, env: { BERTH_CONTAINER_DOMAIN: DOMAIN } },
      };
      await authority.start(Number(new URL(stack.url).port));
      let agent: Agent | undefined;
      try {
        const host = stack.actors.host(newId());
        await host.create({ name: "dns-1", token_hash: "0".repeat(64) });
        await host.report({ facts: await readHostFacts(temporaryFolder(), "process") });
        await until(async () => (await countCertificates(stack.db)).issued === 1);
        agent = startAgent(options);
        await agent.ready();
        const anything = () => visit(authority.rootFile, `anything.dns-1.${DOMAIN}`, "127.0.0.1", edgePort);
        await until(async () => (await anything()) === "404 1.1");
        expect(await visit(authority.rootFile, `x.dns-2.${DOMAIN}`, "127.0.0.1", edgePort)).not.toStartWith(
          "404",
        );
        await agent.stop();
        await stack.stop();
        agent = startAgent(options);
        await until(async () => (await anything()) === "404 1.1");
      } finally {
        await agent?.kill();
        await authority.stop();
      }
    });
  },
);
