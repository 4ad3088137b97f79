import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { until } from "../../harness/until.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { watchArguments } from "../terminal/argument-watch.ts";
import { newWindow, shown } from "../terminal/page/chromium.ts";
import { TestClient } from "../terminal/service.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

describe.skipIf(lacks("root", "ip", "oci"))("the terminal of a container", () => {
  let container: ServedContainer;
  beforeAll(async () => {
    container = await servedContainer(newDriver(testPool(10)));
  });
  afterAll(() => container?.[Symbol.asyncDispose]());

  const bearer = async () => ({ authorization: `Bearer ${await container.token()}` });

  /** The page's token for its WebSocket, as its script finds it. */
  async function boot(
    query = "",
    headers: Record<string, string> = {},
  ): Promise<{ id: number; token: string }> {
    const response = await container.request(`${container.urls.terminal}/${query}`, {
      headers: { ...(await bearer()), ...headers },
    });
    const html = await response.text();
    const json = /id="boot"[^>]*>(.*?)<\/script>/s.exec(html)?.[1];
    if (json === undefined) throw new Error(`no terminal page: ${response.status} ${html}`);
    return JSON.parse(json);
  }

  async function attach(query = ""): Promise<TestClient> {
    const { token } = await boot(query);
    const { host, origin } = new URL(container.urls.terminal);
    return await TestClient.attach(`https://127.0.0.1:${container.edge.httpsPort}`, token, undefined, {
      host,
      origin,
      ...(await bearer()),
    });
  }

  test("it runs in the container, as its users, and with none of the host's privileges, processes or environment", async () => {
    const client = await attach("?terminal_id=1");
    client.type("echo at $(hostname) $(id -un) $PWD pid1=$(cat /proc/1/comm) n=$(ps -e | wc -l)\n");
    await client.shows(/at web root \/root pid1=catatonit n=[1-9]\b/);
    client.type("grep CapEff /proc/self/status; env | grep -c BERTH_; ls -d /work /.berth/init\n");
    await client.shows("00000000a00425fb");
    await client.shows("\n0\n");
    await client.shows("/.berth/init");
    client.type("stty size; sleep 100 & jobs; kill %1; tr '\\0' '\\n' </proc/self/cgroup | grep -c berth\n");
    await client.shows("24 80");
    await client.shows("sleep 100");
    client.close();

    const nobody = await attach("?terminal_id=2&user=nobody&cwd=/tmp");
    nobody.type("echo now $(id -un) in $PWD\n");
    await nobody.shows("now nobody in /tmp");
    nobody.type("exit 3\n");
    await until(() => nobody.exit);
    expect(nobody.exit).toMatchObject({ code: 3 });
  });

  test("what a link sets, runs and begins in is in the arguments of no process, while it starts and afterwards", async () => {
    const secret = `hidden-${crypto.randomUUID()}`;
    using watch = await watchArguments(secret);
    const cmd = btoa(`: ${secret}; printf '%s+' "$KEY" "$PWD" "$SERVICE_CONTAINER_ID"; echo`);
    const query = new URLSearchParams({ terminal_id: "4", cwd: "/tmp", env: `KEY=${secret}`, cmd });
    const client = await attach(`?${query}`);
    await client.shows(`${secret}+/tmp+${container.id}+`);
    expect(await watch.seen()).toEqual([]);
    client.close();
  });

  test("files go to where its shell is, and come from there", async () => {
    const client = await attach("?terminal_id=3&cwd=/srv");
    // The shell is there once it has changed to its folder.
    await client.shows("/srv#");
    const at = `${container.urls.terminal}/api/v1/terminal/sessions/3/files`;
    const large = Buffer.alloc(3_000_000, "berth ");
    const put = await container.request(`${at}?name=upload`, {
      method: "PUT",
      body: large,
      headers: await bearer(),
    });
    expect(put.status).toBe(201);
    client.type("wc -c upload\n");
    await client.shows("3000000 upload");
    const got = await container.request(`${at}?path=upload`, { headers: await bearer() });
    expect(Buffer.from(await got.arrayBuffer()).equals(large)).toBe(true);
    client.close();
  });

  test.skipIf(lacks("chromium"))(
    "a person opens it by a single-use link, types, and stays in after a reload",
    async () => {
      const { page, context, complaints } = await newWindow({ ignoreHTTPSErrors: true });
      const url = new URL(container.urls.terminal);

      await page.goto(`${url.origin}/?terminal_id=7`);
      expect(await page.textContent("main")).toContain("access_token");

      const token = await container.token();
      await page.goto(`${url.origin}/?terminal_id=7&shell=bash&access_token=${token}&fontSize=14`);
      expect(page.url()).toBe(`${url.origin}/?terminal_id=7&shell=bash&fontSize=14`);
      const [cookie] = (await context.cookies()).filter(({ name }) => name.startsWith("__Host-"));
      expect(cookie).toMatchObject({
        httpOnly: true,
        secure: true,
        sameSite: "Lax",
        domain: url.hostname,
        path: "/",
      });
      expect(cookie?.value).not.toContain(token);

      const shows = (text: string) => until(async () => (await shown(page)).includes(text));
      await shows("root@web");
      await page.keyboard.type("echo typed in $(hostname)\n");
      await shows("typed in web");
      await page.reload();
      await shows("typed in web");
      await page.keyboard.type("echo again''$((1+1))\n");
      await shows("again2");
      // The first page's refusal is the one thing that it may complain about.
      expect(complaints.filter((one) => !one.includes("401"))).toEqual([]);

      // Whoever is taken off the list is out: what is open ends, and nothing new begins.
      await container.want({ grants: [] });
      expect((await page.goto(`${url.origin}/?terminal_id=7`))?.status()).toBe(404);
      await container.want({ grants: [container.user] });
    },
  );

  test("a session ends when its user loses access, and other sessions of the container go on to the next", async () => {
    const client = await attach("?terminal_id=9");
    await container.want({ grants: [] });
    await until(() => client.closed);
    await container.want({ grants: [container.user] });
    const again = await attach("?terminal_id=9");
    again.close();
  });

  test("a container that is stopped says so, and one that is started again has a terminal again", async () => {
    await container.want({ state: "stopped" });
    const answer = await container.request(container.urls.terminal, { headers: await bearer() });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "CONTAINER_NOT_RUNNING" }]);
    await container.want({ state: "running" });
    const client = await attach("?terminal_id=11");
    client.type("echo back on $(hostname)\n");
    await client.shows("back on web");
    client.close();
  });
});
