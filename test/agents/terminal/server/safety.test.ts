import { describe, expect, test } from "bun:test";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

const browser = { accept: "text/html", "user-agent": "Mozilla/5.0" };

describe("GET / has effects, so nobody else can make a browser ask for it", () => {
  test.each([
    ["a link of another site", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }],
    ["a link of a sibling container", { "sec-fetch-site": "same-site", "sec-fetch-dest": "document" }],
    ["an image of another site", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" }],
    [
      "an image in something that this address shows",
      { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" },
    ],
    ["a browser that does not say, and was never here", {}],
    [
      "a script of another site, in a browser that says no more",
      { origin: "https://evil.example", cookie: "berth_terminal_seen=1" },
    ],
    ["a program that says another site's origin", { origin: "null", "user-agent": "program" }],
  ])("%s gets a question, and nothing is started", async (_name, headers) => {
    await using service = startService();
    const cmd = btoa("touch /tmp/never; echo '<b>'");
    const response = await service.page({ cmd, terminal_id: "7" }, { headers: { ...browser, ...headers } });
    const html = await response.text();
    expect(html).toContain("Open this terminal?");
    expect(html).toContain("touch /tmp/never; echo &#x27;&lt;b&gt;&#x27;");
    expect(html).not.toContain('id="boot"');
    expect(service.terminal.sessions.all).toHaveLength(0);
  });

  test("only who was led here by another site is told so", async () => {
    await using service = startService();
    const question = async (headers: Record<string, string>) =>
      (await service.page("", { headers: { ...browser, ...headers } })).text();
    expect(await question({ "sec-fetch-site": "cross-site" })).toContain("Another site led you here");
    for (const headers of [{}, { cookie: "other=1" }] as Record<string, string>[]) {
      const html = await question(headers);
      expect(html).toContain("This browser does not say what led you here");
      expect(html).not.toContain("Another site");
    }
  });

  test.each([
    ["typed into the address bar", { "sec-fetch-site": "none", "sec-fetch-dest": "document" }],
    ["the click on the question", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "document" }],
    ["a browser that does not say, and was here before", { cookie: "a=b; berth_terminal_seen=1" }],
  ])("%s opens the terminal", async (_name, headers) => {
    await using service = startService();
    const response = await service.page("terminal_id=7", { headers: { ...browser, ...headers } });
    expect(await response.text()).toContain('id="boot"');
  });

  test.each([
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
    { "sec-purpose": "", purpose: "Prefetch" },
  ])("a page that the browser only loads ahead starts nothing: %p", async (headers) => {
    await using service = startService();
    const response = await service.page("", {
      headers: { ...browser, "sec-fetch-site": "none", "sec-fetch-dest": "document", ...headers } as never,
    });
    expect(response.status).toBe(503);
    expect(service.terminal.sessions.all).toHaveLength(0);
  });

  test("the cookie that says so is one that other sites cannot make the browser send", async () => {
    await using service = startService();
    const response = await service.page("");
    expect(response.headers.get("set-cookie")).toMatch(/^berth_terminal_seen=1;.* HttpOnly; SameSite=Strict/);
  });

  test.each(["POST", "PUT", "HEAD", "DELETE", "OPTIONS"])("%s / starts nothing", async (method) => {
    await using service = startService();
    const response = await service.page("", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET");
    expect(service.terminal.sessions.all).toHaveLength(0);
  });
});

describe("the WebSocket", () => {
  test.each(["null", "https://evil.example", "http://127.0.0.1:1", ""])(
    "refuses the origin %p",
    async (origin) => {
      await using service = startService();
      const { token } = await service.boot("");
      const client = service.connect(token, { headers: { origin } });
      await until(() => client.closed !== null);
      expect(client.messages).toEqual([]);
    },
  );

  test("takes a token once, and no token that was not given", async () => {
    await using service = startService();
    const { token } = await service.boot("");
    const first = service.connect(token);
    await until(() => first.snapshots > 0);
    for (const bad of [token, "", "x".repeat(32)]) {
      const client = service.connect(bad);
      await until(() => client.closed !== null);
      expect(client.closed?.code).toBe(4401);
      expect(client.messages).toEqual([]);
    }
  });

  test("takes nothing before it has the token", async () => {
    await using service = startService();
    const { token, id } = await service.boot("");
    const socket = new WebSocket(`${service.origin.replace("http", "ws")}/api/v1/terminal/ws`, {
      headers: { origin: service.origin },
    } as never);
    let code = 0;
    socket.onclose = (event) => {
      code = event.code;
    };
    socket.onopen = () => {
      socket.send(new TextEncoder().encode("echo typed $((1+1))\n"));
      socket.send(JSON.stringify({ type: "attach", token, cols: 80, rows: 24 }));
    };
    await until(() => code !== 0);
    expect(code).toBe(4400);
    const client = service.connect(token);
    client.socket.addEventListener("open", () => client.type("echo alone $((1+1))\n"));
    await client.shows("alone 2");
    expect(service.terminal.sessions.get(id)?.text()).not.toContain("typed");
  });

  test.each([
    "no json",
    "[]",
    "null",
    '{"type":"attach"}',
    '{"type":"size","cols":"80","rows":24}',
    '{"type":"ack","bytes":1.5}',
    '{"type":"exec","cmd":"id"}',
  ])("ends a connection that says %s, and not the session", async (text) => {
    await using service = startService();
    const client = await service.open("terminal_id=7");
    client.socket.send(text);
    await until(() => client.closed !== null);
    expect(client.closed?.code).toBe(4400);
    expect(service.terminal.sessions.get(7)?.isRunning).toBe(true);
  });
});

describe("who only watches", () => {
  test("cannot type, nor change the size, by whatever they send", async () => {
    await using service = startService();
    const typist = await service.open("terminal_id=7", { cols: 100, rows: 30 });
    const watcher = await service.open("terminal_id=7&readonly", { cols: 20, rows: 5 });
    expect(watcher.message("attached")?.readonly).toBe(true);
    watcher.type("echo intruder $((1+1))\n");
    watcher.send({ type: "size", cols: 30, rows: 10 });
    watcher.type("\x1b[?1;2c");
    typist.type("echo done $((2+2))\n");
    await watcher.shows("done 4");
    expect(typist.text).not.toContain("intruder");
    expect(typist.size).toBe("100x30");
  });

  test("still only watches after a reconnection", async () => {
    await using service = startService();
    const watcher = await service.open("terminal_id=7&readonly");
    const again = service.connect(watcher.message("attached")?.resume ?? "");
    await until(() => again.message("attached"));
    expect(again.message("attached")?.readonly).toBe(true);
  });

  test("by credential cannot start, end, reset or rename sessions, nor type by leaving readonly out", async () => {
    const isWatcher = (request: Request) => request.headers.get("authorization") === "Bearer watch";
    await using service = startService({ authorize: (request) => ({ readonly: isWatcher(request) }) });
    const typist = await service.open("terminal_id=7");
    const headers = { authorization: "Bearer watch" };
    for (const query of ["", "terminal_id=8", "terminal_id=7&reset", "terminal_id=7&pid=1"]) {
      expect((await service.page(query, { headers })).status).toBe(403);
    }
    for (const method of ["DELETE", "PATCH"]) {
      const response = await fetch(`${service.origin}/api/v1/terminal/sessions/7`, { method, headers });
      expect(response.status).toBe(403);
    }
    // A token of somebody else's does not help either.
    const { token } = await service.boot("terminal_id=7");
    const watcher = service.connect(token, { headers });
    await until(() => watcher.message("attached"));
    watcher.type("echo intruder $((1+1))\n");
    typist.type("echo done $((2+2))\n");
    await watcher.shows("done 4");
    expect(typist.text).not.toContain("intruder");
  });
});

describe("what comes from outside is text wherever it stands", () => {
  const attack = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

  test.each([
    ["title", { title: attack }],
    ["panel", { panel: `https://a.example/"><script>alert(1)</script>` }],
    ["panel by a path", { panel: attack }],
  ])("in the page: %s", async (_name, query) => {
    await using service = startService();
    const html = await (await service.page(query, { headers: { accept: "text/html" } })).text();
    expect(html).toContain('id="boot"');
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img");
  });

  test("in the reason of a refusal", async () => {
    await using service = startService();
    for (const name of ["backgroundColor", "shell", "user", "panel", "ssh_host", "env"]) {
      const response = await service.page(
        { [name]: name === "panel" ? `javascript:${attack}` : attack, ssh_user: "u" },
        { headers: { accept: "text/html" } },
      );
      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(await response.text()).not.toContain("<script>alert");
    }
  });

  test("and every page has a policy that runs no script without the nonce of this one answer", async () => {
    await using service = startService();
    const policies = [];
    for (const query of ["panel=https%3A%2F%2Fa.example%2Fx", "", "fontSize=1"]) {
      const response = await service.page(query, { headers: { accept: "text/html" } });
      const policy = response.headers.get("content-security-policy") ?? "";
      const html = await response.text();
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("cache-control")).toBe("no-store");
      for (const [tag] of html.matchAll(/<(script|style)[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
      policies.push(policy);
    }
    expect(new Set(policies.map((policy) => /nonce-[^']+/.exec(policy)?.[0])).size).toBe(3);
    expect(policies[0]).toMatch(/frame-src https:\/\/a\.example(;|$)/);
    expect(policies[1]).toContain("frame-src 'none'");
  });
});

test("no name or title turns the text around that it stands in", async () => {
  await using service = startService();
  const client = await service.open("terminal_id=7");
  const at = `${service.origin}/api/v1/terminal/sessions/7`;
  for (const sign of ["\u202e", "\u2066", "\u200f", "\u061c", "\n", "\u0085"]) {
    const body = JSON.stringify({ name: `a${sign}b` });
    expect({ sign, status: (await fetch(at, { method: "PATCH", body })).status }).toEqual({
      sign,
      status: 400,
    });
  }
  const name = JSON.stringify({ name: "בנייה 👩‍💻" });
  expect((await fetch(at, { method: "PATCH", body: name })).status).toBe(200);
  client.type("printf '\\033]0;ti\u202etle\\007'; echo ti''tled\n");
  await client.shows("titled");
  expect(service.terminal.sessions.get(7)?.title).toBe("title");
  expect((await service.boot("terminal_id=7&title=ti%E2%80%AEtle")).appearance.title).toBe("title");
  expect((await service.page("ssh_host=h&ssh_user=u%E2%80%AE")).status).toBe(400);
});

test("no secret of the address is in the page", async () => {
  await using service = startService();
  const html = await (
    await service.page(
      { ssh_host: "h", ssh_user: "u", ssh_password: "hunter2", socks5_host: "p", socks5_pass: "hunter3" },
      { headers: { ...browser, "sec-fetch-site": "cross-site" } },
    )
  ).text();
  expect(html).toContain("connects by SSH to");
  expect(html).not.toContain("hunter");
});

test("nothing of the service's own environment reaches the shell, but what is meant for it", async () => {
  process.env.BERTH_TEST_SECRET = "hunter2";
  await using service = startService({ serviceEnv: { SERVICE_REGION: "north" } });
  const client = await service.open({ cmd: btoa("env | sort; echo fin''ished") });
  await client.shows("finished");
  expect(client.text).not.toContain("hunter2");
  expect(client.text).toContain("SERVICE_REGION=north");
});

test("a list of sessions is for this service's own pages; others cannot end or rename any", async () => {
  await using service = startService();
  await service.open("terminal_id=7");
  const at = `${service.origin}/api/v1/terminal/sessions`;
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ]) {
    expect((await fetch(at, { headers })).status).toBe(403);
    expect((await fetch(`${at}/7`, { method: "DELETE", headers })).status).toBe(403);
    expect((await fetch(`${at}/7`, { method: "PATCH", body: '{"name":"x"}', headers })).status).toBe(403);
  }
  expect(service.terminal.sessions.get(7)).toMatchObject({ isRunning: true, name: null });
});
