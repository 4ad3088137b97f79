import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type Agent, startAgent } from "../../../../agents/agent-process.ts";
import { lacks } from "../../../../agents/requirements.ts";
import { type AcmeAuthority, acmeAuthority } from "../../../../harness/acme-authority.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../../../../harness/servers.ts";
import { until } from "../../../../harness/until.ts";
import { aliasTenant } from "./aliasing.ts";

/** Users' own domains, against a real name server, a real ACME server and the edge of a real agent. */

const CLOUD = "cloud.test";
const SERVER = "own-1";
const OTHER_SERVER = "own-2";
/** Apart from the gateway, since the authority looks at one port of every name. */
const EDGE = "127.0.0.2";

describe.skipIf(lacks("pebble", "pebble-challtestsrv", "openssl", "curl"))("a user's own domain", () => {
  let authority: AcmeAuthority;
  let stack: EmbeddedStack;
  let agent: Agent;
  let edgePort: number;
  let httpPort: number;
  let ours: Awaited<ReturnType<typeof aliasTenant>>;
  let theirs: Awaited<ReturnType<typeof aliasTenant>>;
  // A container without isolation has an address of 127.0.0.0/8.
  const target = Bun.serve({
    port: 0,
    hostname: "0.0.0.0",
    fetch: ({ headers }) => new Response(headers.get("host")),
  });

  beforeAll(async () => {
    authority = await acmeAuthority();
    edgePort = await freePort();
    stack = await startEmbeddedStack({
      servers: [SERVER, OTHER_SERVER],
      env: {
        ...authority.env,
        BERTH_CONTAINER_DOMAIN: CLOUD,
        BERTH_EDGE_PORT: String(edgePort),
        BERTH_DOMAIN_NAME_SERVERS: authority.dns,
      },
    });
    httpPort = Number(new URL(stack.url).port);
    await authority.start(httpPort);
    agent = startAgent({
      ...{
        natsUrl: stack.agentUrl(SERVER),
        server: SERVER,
        data: temporaryFolder(),
        driver: "process",
        subnet: "",
      },
      edgePort,
      env: { BERTH_CONTAINER_DOMAIN: CLOUD, BERTH_EDGE_LISTEN: EDGE, BERTH_EDGE_HTTP_PORT: String(httpPort) },
    });
    await agent.ready();
    [ours, theirs] = await Promise.all([aliasTenant(stack, SERVER), aliasTenant(stack, OTHER_SERVER)]);
  });
  afterAll(async () => {
    await agent?.stop();
    await stack?.stop();
    await authority?.stop();
    await target.stop(true);
  });

  /** A container's `http` alias to the target, with what is done to its domains. */
  const exposed = async (owner: typeof ours, alias: string) => {
    const { id } = await owner.exposed({ alias, program: `http:${target.port}` });
    const domains = (method: string, path = "", body?: object) =>
      owner.aliases(method, `/${id}/domains${path}`, body);
    const stateOf = async (domain: string) => {
      const { body } = await domains("GET");
      return body.data.domains.find((one: { domain: string }) => one.domain === domain);
    };
    return { id, domains, stateOf };
  };
  const prove = (domain: string, value: string) =>
    authority.set("set-txt", { host: `_berth-challenge.${domain}.`, value });
  const lead = (domain: string) => authority.set("add-a", { host: `${domain}.`, addresses: [EDGE] });
  const verified = (one: Awaited<ReturnType<typeof exposed>>, domain: string) =>
    until(async () => {
      const claim = await one.stateOf(domain);
      if (claim.state === "pending") await one.domains("POST", `/${domain}/check`);
      return claim.state === "verified" && claim;
    });
  const curl = async (url: string, ...options: string[]) => {
    const child = Bun.spawn(["curl", "-sS", "--max-time", "30", "-w", " %{http_code}", ...options, url], {
      ...{ stdout: "pipe", stderr: "pipe" },
    });
    const [said, failed] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return (await child.exited) === 0 ? said : failed.trim();
  };
  const visit = (domain: string) =>
    curl(
      `https://${domain}:${edgePort}/`,
      ...["--cacert", authority.rootFile, "--resolve", `${domain}:${edgePort}:${EDGE}`],
    );
  const plain = (domain: string) =>
    curl(`http://${domain}:${httpPort}/`, "--resolve", `${domain}:${httpPort}:${EDGE}`);

  test("leads to its alias once a TXT record proves it, with a certificate that its first visitor waits for", async () => {
    const domain = "shop.ann.test";
    const shop = await exposed(ours, "shop");
    await lead(domain);
    const { status, body } = await shop.domains("POST", "", { domain: "Shop.Ann.test" });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      ...{ domain, state: "pending", proof: null, alias_id: shop.id, url: `https://${domain}:${edgePort}` },
      ...{ txt_name: `_berth-challenge.${domain}`, cname_target: `shop.${SERVER}.${CLOUD}` },
    });
    await until(async () => (await shop.stateOf(domain)).error?.startsWith("neither proof is there"));
    expect(await plain(domain)).toEndWith(" 404");
    expect(await visit(domain)).toContain("certificate");
    await prove(domain, body.data.txt_value);
    expect(await verified(shop, domain)).toMatchObject({ proof: "txt", error: null });
    await until(async () => (await plain(domain)) === `${domain}:${httpPort} 200`);
    await until(async () => (await visit(domain)) === `${domain}:${edgePort} 200`);
  });

  test("follows its alias: the switch, a rename, and the end", async () => {
    const domain = "switch.ann.test";
    const alias = await exposed(ours, "switch");
    const { body } = await alias.domains("POST", "", { domain });
    await prove(domain, body.data.txt_value);
    await verified(alias, domain);
    await until(async () => (await plain(domain)).endsWith(" 200"));
    await ours.aliases("PATCH", `/${alias.id}/state`, { enabled: false });
    expect(await plain(domain)).toEndWith(" 404");
    await ours.aliases("PATCH", `/${alias.id}`, { enabled: true, alias: "switched" });
    expect(await plain(domain)).toEndWith(" 200");
    await ours.aliases("DELETE", `/${alias.id}`);
    expect(await plain(domain)).toEndWith(" 404");
    await until(async () => (await stack.db`SELECT 1 FROM domains WHERE domain = ${domain}`).length === 0);
  });

  test("of one account is not another's, until it is given up; a CNAME to the alias proves it too", async () => {
    const domain = "www.both.test";
    const [mine, other] = [await exposed(ours, "both"), await exposed(theirs, "both")];
    const { body } = await mine.domains("POST", "", { domain });
    await prove(domain, body.data.txt_value);
    await verified(mine, domain);
    expect((await other.domains("POST", "", { domain })).status).toBe(201);
    await authority.set("set-cname", { host: `${domain}.`, target: `both.${OTHER_SERVER}.${CLOUD}.` });
    const waiting = await until(async () => {
      const claim = await other.stateOf(domain);
      return claim.error?.includes("another account") && claim;
    });
    // As if it had waited for long: its next look would be in an hour.
    await stack.db`UPDATE domains SET next_check_at = now() + interval '1 hour' WHERE id = ${waiting.id}`;
    expect((await mine.domains("DELETE", `/${domain}`)).status).toBe(200);
    const held = await until(async () => {
      const claim = await other.stateOf(domain);
      return claim.state === "verified" && claim;
    });
    expect(held).toMatchObject({ proof: "cname" });
    await until(async () => (await plain(domain)).endsWith(" 404"));
    const events = await stack.db`
      SELECT data ->> 'change' AS change FROM events WHERE resource_id = ${mine.id} AND data ? 'domain' ORDER BY created_at, id`;
    expect(events.map(({ change }) => change)).toEqual(["domain added", "domain verified", "domain removed"]);
  });

  test("is listed with those of all aliases, with its state and the next look, and for nobody else", async () => {
    const [one, two] = [await exposed(ours, "listed-one"), await exposed(ours, "listed-two")];
    for (const [alias, domain] of [
      [one, "b.listed.test"],
      [two, "a.listed.test"],
    ] as const)
      expect((await alias.domains("POST", "", { domain })).status).toBe(201);
    const list = async (owner: typeof ours, query: string) => {
      const { status, body } = await stack.call("GET", `/api/v1/proxy/domains?search=.LISTED.test${query}`, {
        token: owner.user.token,
      });
      expect(status).toBe(200);
      return body.data;
    };
    const all = await list(ours, "&sort=domain");
    expect(all.count).toBe(2);
    expect(all.domains).toMatchObject([
      { domain: "a.listed.test", alias: "listed-two", alias_id: two.id, state: "pending" },
      { domain: "b.listed.test", alias: "listed-one", alias_id: one.id, cname_target: expect.any(String) },
    ]);
    for (const { next_check_at } of all.domains) expect(Date.parse(next_check_at)).toBeGreaterThan(0);
    expect((await list(ours, `&alias_id=${one.id}`)).domains).toMatchObject([{ domain: "b.listed.test" }]);
    expect((await list(ours, "&state=verified")).count).toBe(0);
    expect((await list(theirs, "")).domains).toEqual([]);
  });

  test("is refused where it cannot be one's own, and is nobody else's to see or change", async () => {
    const alias = await exposed(ours, "refuses");
    for (const domain of [
      `x.${SERVER}.${CLOUD}`,
      CLOUD,
      "127.0.0.1",
      "localhost",
      "*.ann.test",
      "a..test",
      "-a.test",
    ]) {
      const { status, body } = await alias.domains("POST", "", { domain });
      expect([domain, status, body.code]).toEqual([domain, 400, "VALIDATION_ERROR"]);
    }
    expect((await alias.domains("POST", "", { domain: "one.ann.test" })).status).toBe(201);
    const again = await alias.domains("POST", "", { domain: "one.ann.test" });
    expect([again.status, again.body.code]).toEqual([409, "DOMAIN_IN_USE"]);
    expect((await alias.domains("DELETE", "/two.ann.test")).body.code).toBe("DOMAIN_NOT_FOUND");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["POST", "", { domain: "three.ann.test" }],
      ["POST", "/one.ann.test/check", undefined],
      ["DELETE", "/one.ann.test", undefined],
    ] as const) {
      const { status, body: reply } = await theirs.aliases(method, `/${alias.id}/domains${path}`, body);
      expect([method, path, status, reply.code]).toEqual([method, path, 404, "ALIAS_NOT_FOUND"]);
    }
  });

  test("gets no certificate while its user has added too many names within the hour", async () => {
    const domain = "eleventh.ann.test";
    const alias = await exposed(ours, "eleventh");
    const { body } = await alias.domains("POST", "", { domain });
    await lead(domain);
    await prove(domain, body.data.txt_value);
    await verified(alias, domain);
    await until(async () => (await plain(domain)).endsWith(" 200"));
    for (let n = 0; n < 10; n++)
      await stack.db`
        INSERT INTO certificates (id, version, name, purpose, user_id, due_at, failures, created_at, updated_at)
        VALUES (${newId()}, 1, ${`n${n}.ann.test`}, 'name', ${ours.user.id}, now() + interval '1 day', 0, now(), now())`;
    expect(await visit(domain)).toContain("certificate");
    expect(await stack.db`SELECT 1 FROM certificates WHERE name = ${domain}`).toHaveLength(0);
  });
});
