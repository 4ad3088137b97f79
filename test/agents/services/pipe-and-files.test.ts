import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readRange } from "../../../agents/services/files.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { testPool } from "../containers/specs.ts";
import { curl } from "../pipe/pipe-server.ts";
import { lacks } from "../requirements.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

const decoded = (address: string) =>
  Buffer.from(
    address.replace(/%(..)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
    "latin1",
  );

test("one part of a file is understood, several are all of it, and none beyond its end", () => {
  expect(readRange("bytes=0-0", 10)).toEqual({ from: 0, length: 1 });
  expect(readRange("bytes=2-", 10)).toEqual({ from: 2, length: 8 });
  expect(readRange("bytes=2-99", 10)).toEqual({ from: 2, length: 8 });
  expect(readRange("bytes=-3", 10)).toEqual({ from: 7, length: 3 });
  expect(readRange("bytes=-99", 10)).toEqual({ from: 0, length: 10 });
  expect(readRange("bytes=10-", 10)).toBe("unsatisfiable");
  expect(readRange("bytes=-0", 10)).toBe("unsatisfiable");
  for (const none of [null, "bytes=1-2,4-5", "bytes=-", "bytes=3-2", "lines=1-2"]) {
    expect(readRange(none, 10)).toBeUndefined();
  }
});

describe.skipIf(lacks("root", "ip", "oci", "curl"))("services of a container", () => {
  let container: ServedContainer;
  let token: string;
  beforeAll(async () => {
    container = await servedContainer(newDriver(testPool(10)));
    token = await container.token();
  });
  afterAll(() => container?.[Symbol.asyncDispose]());

  const ask = (url: string, init: RequestInit = {}) =>
    container.request(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
    });
  /** curl at an address of the container, with its name leading here. */
  const at = (url: string, ...args: string[]) => {
    const { hostname, port } = new URL(url);
    return curl("-k", "--resolve", `${hostname}:${port}:127.0.0.1`, ...args, url);
  };

  test("a transfer through its pipe arrives whole, for those who may, and their connection is kept", async () => {
    const url = `${container.urls.pipe}/api/v1/pipe/some/path`;
    const credential = ["-H", `Authorization: Bearer ${token}`];
    const receiver = at(url, "-f", ...credential, "-o", join(container.folder, "received"));
    const sender = at(url, ...credential, "-T", process.execPath);
    expect((await receiver.done()).code).toBe(0);
    expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
    const [sent, received] = await Promise.all(
      [process.execPath, join(container.folder, "received")].map((file) => Bun.file(file).bytes()),
    );
    expect(Bun.hash(sent ?? "")).toBe(Bun.hash(received ?? ""));

    const twice = await at(
      `${container.urls.pipe}/help`,
      ...credential,
      "-w",
      "%{num_connects} ",
      `${container.urls.pipe}/help`,
    ).done();
    expect(twice.text.match(/[01] (?=\S|$)/g)?.at(-1)).toBe("0 ");
    expect(twice.text).toContain(`${container.urls.pipe}/api/v1/pipe/`);
  });

  test("health and preflight are open, the rest asks for a credential, also later on a connection that was let in", async () => {
    const path = `${container.urls.pipe}/api/v1/pipe`;
    expect((await container.request(`${path}/health`)).status).toBe(200);
    const bare = await container.request(`${container.urls.pipe}/health`);
    expect([bare.status, await bare.text()]).toEqual([404, expect.stringContaining("/api/v1/pipe/health")]);
    expect((await container.request(`${path}/x`, { method: "OPTIONS" })).status).toBe(204);
    const origin = "https://app.test";
    const absent = container.urls.pipe.replace(container.id, "f".repeat(24));
    for (const [method, base] of [
      ["GET", path],
      ["POST", path],
      ["PUT", path],
      ["GET", `${absent}/api/v1/pipe`],
    ] as const) {
      const refused = await container.request(`${base}/x`, { method, headers: { origin } });
      expect(refused.status).toBe(401);
      // As the pipe itself answers: a page may read why.
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "x-robots-tag": "none",
        "x-content-type-options": "nosniff",
        vary: "Origin",
      });
    }
    // The first request is open, and the second on the same connection is not.
    const first = ["-o", "/dev/null", "-w", "%{http_code} ", `${path}/health`];
    const second = ["-k", ...resolve(path), "-o", "/dev/null", "-w", "%{http_code} %{num_connects}"];
    const { text } = await at(`${path}/x`, ...first, "--next", ...second).done();
    expect(text).toBe("200 401 0");
  });

  test("whoever has a shared link receives from that path without signing in, and does nothing else", async () => {
    const { pipe } = container.urls;
    const share = (path: string, headers: Record<string, string>) =>
      container.request(`${pipe}/share?${new URLSearchParams({ path })}`, { method: "POST", headers });
    expect((await share("for/you", {})).status).toBe(401);
    const credential = { authorization: `Bearer ${token}` };
    expect((await share("help", credential)).status).toBe(400);
    const made = { share_token: "", expires_in: 0 };
    const link = (path: string) => `${pipe}/api/v1/pipe/${path}?share_token=${made.share_token}`;
    for (const written of ["/for/you", "/api/v1/pipe/for/you", "for/you"]) {
      Object.assign(made, await (await share(written, credential)).json());
      expect(made.expires_in).toBe(3_600);
      const sender = ask(`${pipe}/api/v1/pipe/for/you`, { method: "PUT", body: "a gift" });
      expect(await (await container.request(link("for/you"))).text()).toBe("a gift");
      expect(await (await sender).text()).toContain("Transfer complete");
    }

    expect((await container.request(link("for/me"))).status).toBe(401);
    expect((await container.request(link("for/you"), { method: "PUT", body: "x" })).status).toBe(401);
    expect((await container.request(`${pipe}/?share_token=${made.share_token}`)).status).toBe(401);
    // Nor is it shared on.
    const again = `${pipe}/share?path=for/you&share_token=${made.share_token}`;
    expect((await container.request(again, { method: "POST" })).status).toBe(401);
    const page = await container.request(link("for/me"), { headers: { accept: "text/html" } });
    expect(await page.text()).toContain("It is for another path, or its time is over");
  });

  test("the commands of the help sign in, and trust this server's key alone", async () => {
    const help = await (await ask(`${container.urls.pipe}/help`)).text();
    expect(help).toContain(`$BERTH_URL/api/v1/containers/${container.id}/access`);
    const command = /^ {2}(curl .*)\/health$/m.exec(help)?.[1] ?? "";
    expect(command).toStartWith('curl -H "Authorization: Bearer $TOKEN" -k --pinnedpubkey \'sha256//');
    const run = async (text: string) => {
      const { hostname, port } = new URL(container.urls.pipe);
      const child = Bun.spawn(["sh", "-c", `${text} -sS --resolve ${hostname}:${port}:127.0.0.1`], {
        env: { ...process.env, TOKEN: token },
        stdout: "pipe",
        stderr: "pipe",
      });
      return { code: await child.exited, text: await child.stdout.text() };
    };
    const known = await run(`${command}/health`);
    expect([known.code, JSON.parse(known.text).service]).toEqual([0, "pipe"]);
    // CURLE_SSL_PINNEDPUBKEYNOTMATCH
    expect((await run(`${command}/health`.replace(/sha256\/\/./, "sha256//!"))).code).toBe(90);
  });

  const resolve = (url: string) => {
    const { hostname, port } = new URL(url);
    return ["--resolve", `${hostname}:${port}:127.0.0.1`];
  };

  test("files are listed and read from within: no path and no link leads out of the container", async () => {
    const root = join(container.folder, "root");
    mkdirSync(join(root, "srv/a folder/empty"), { recursive: true });
    writeFileSync(join(root, "srv/a folder/<b> & 100%?.txt"), "0123456789");
    symlinkSync("/etc/hostname", join(root, "srv/a folder/absolute"));
    symlinkSync("../../../../../../etc/hostname", join(root, "srv/a folder/relative"));
    symlinkSync("/", join(root, "srv/a folder/root"));
    symlinkSync("/nowhere", join(root, "srv/a folder/dangling"));
    const files = container.expose("files-of-it", "files");

    expect((await container.request(`${files}/`)).status).toBe(401);
    const page = await ask(`${files}/srv/a%20folder`, { headers: { accept: "text/html" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    const html = await page.text();
    expect(html).toContain(
      '<a href="/srv/a%20folder/%3Cb%3E%20%26%20100%25%3F.txt"><bdi>&lt;b&gt; &amp; 100%?.txt</bdi></a>',
    );
    const listed = (await (
      await ask(`${files}/srv/a%20folder/`, { headers: { accept: "application/json" } })
    ).json()) as {
      entries: { name: string; type: string; link: boolean }[];
    };
    expect(listed.entries.map(({ name, type, link }) => [name, type, link])).toEqual([
      ["empty", "folder", false],
      ["root", "folder", true],
      ["<b> & 100%?.txt", "file", false],
      ["absolute", "file", true],
      ["dangling", "other", true],
      ["relative", "file", true],
    ]);

    const text = async (path: string) => (await ask(`${files}${path}`)).text();
    // The container's own name, and not its host's.
    for (const link of ["absolute", "relative", "root/etc/hostname"])
      expect(await text(`/srv/a%20folder/${link}`)).toBe("web\n");
    expect(await text("/etc/passwd")).toStartWith("root:x:0:0:root:/root:");
    expect(await text("/%2e%2e/%2e%2e/..%2f..%2f../etc/hostname")).toBe("web\n");
    for (const missing of ["/srv/a%20folder/dangling", "/nowhere", "/dev/zero", container.folder]) {
      expect((await ask(`${files}${missing}`)).status).toBe(404);
    }
    expect((await ask(`${files}/%00`)).status).toBe(400);
  });

  test("a download comes whole or in parts, and never runs as a page", async () => {
    const files = container.expose("download", "files");
    writeFileSync(join(container.folder, "root/srv/page.html"), "<script>1</script>");
    const whole = await ask(`${files}/srv/page.html`);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=page.html",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    expect(await whole.text()).toBe("<script>1</script>");
    const part = await ask(`${files}/srv/page.html`, { headers: { range: "bytes=1-6" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 1-6/18",
      "script",
    ]);
    expect((await ask(`${files}/srv/page.html`, { headers: { range: "bytes=99-" } })).status).toBe(416);
    // A part of what the asker knows, or all of what is there now.
    const ranged = async (ifRange: string, method = "GET") =>
      (
        await ask(`${files}/srv/page.html`, {
          method,
          headers: { range: "bytes=1-6", "if-range": ifRange },
        })
      ).status;
    utimesSync(join(container.folder, "root/srv/page.html"), 1_700_000_000, 1_700_000_000);
    expect(await ranged("Tue, 14 Nov 2023 22:13:20 GMT")).toBe(206);
    expect(await ranged("Tue, 14 Nov 2023 22:13:19 GMT")).toBe(200);
    expect(await ranged('"tag"')).toBe(200);
    expect(await ranged("Tue, 14 Nov 2023 22:13:20 GMT", "HEAD")).toBe(200);
    const head = await ask(`${files}/srv/page.html`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "18"]);
    expect((await ask(`${files}/srv/page.html`, { method: "PATCH" })).status).toBe(405);
    const large = Buffer.alloc(20_000_000, "large ");
    writeFileSync(join(container.folder, "root/srv/large"), large);
    const bytes = Buffer.from(await (await ask(`${files}/srv/large`)).arrayBuffer());
    expect(bytes.equals(large)).toBe(true);
  });

  test("folders are made, files are moved, replaced and deleted from within, and nothing else is lost", async () => {
    const root = join(container.folder, "root/changed");
    const outside = join(container.folder, "kept");
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "kept");
    const files = `${container.expose("changed-files", "files")}/changed`;
    const change = async (method: string, path: string, body?: string) => {
      const answer = await ask(`${files}${path}`, { method, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      return text.startsWith("{") && !answer.ok
        ? `${answer.status} ${JSON.parse(text).code}`
        : String(answer.status);
    };
    const move = (path: string, to: string) =>
      change("POST", `${path}?${new URLSearchParams({ action: "move", to })}`);
    const textOf = (path: string) => readFileSync(join(root, path), "utf8");

    // Of the container's own root.
    for (const path of ["", "/a%20folder"]) expect(await change("POST", `${path}?action=mkdir`)).toBe("204");
    expect(await change("POST", "/a%20folder?action=mkdir")).toBe("409 FILE_EXISTS");
    expect(await change("POST", "/none/of/these?action=mkdir")).toBe("404 FILE_NOT_FOUND");
    expect(await change("PUT", "/a%20folder?name=one", "first")).toBe("201");
    chmodSync(join(root, "a folder/one"), 0o640);
    expect(await change("PUT", "/a%20folder?name=one", "second")).toBe("409 FILE_EXISTS");
    expect(textOf("a folder/one")).toBe("first");
    expect(await change("PUT", "/a%20folder?name=one&replace=true", "second")).toBe("201");
    expect([textOf("a folder/one"), statSync(join(root, "a folder/one")).mode & 0o777]).toEqual([
      "second",
      0o640,
    ]);
    expect(await change("PUT", "/?name=a%20folder&replace=true", "no folder")).toBe("409 NOT_A_FILE");
    expect(await change("PUT", "/?name=x&replace=perhaps", "x")).toBe("400 VALIDATION_ERROR");

    expect(await move("/a%20folder/one", "/changed/$(id) 'two'\n")).toBe("204");
    expect(readdirSync(root).toSorted()).toEqual(["$(id) 'two'\n", "a folder"]);
    writeFileSync(join(root, "three"), "3");
    expect(await move("/three", "/changed/$(id) 'two'\n")).toBe("409 FILE_EXISTS");
    expect(await move("/none", "/changed/four")).toBe("404 FILE_NOT_FOUND");
    expect(await move("/three", "/srv/nowhere/three")).toBe("404 FILE_NOT_FOUND");
    expect(await move("/a%20folder", "/changed/a folder/within")).toBe("409 FILE_NOT_WRITABLE");
    for (const to of ["", "three", "/", "/srv/..", "/\0"])
      expect(await move("/three", to)).toBe("400 VALIDATION_ERROR");
    expect(await change("POST", "/three?action=copy")).toBe("400 VALIDATION_ERROR");

    // A link is deleted or moved itself, and none leads out of the container.
    symlinkSync(outside, join(root, "absolute"));
    symlinkSync("../../kept", join(root, "relative"));
    symlinkSync("a folder", join(root, "link"));
    for (const link of ["absolute", "relative"]) {
      expect(await change("DELETE", `/${link}/file`)).toBe("404 FILE_NOT_FOUND");
      expect(await change("DELETE", `/${link}/?recursive=true`)).toBe("204");
    }
    expect(await move("/link", "/changed/moved")).toBe("204");
    writeFileSync(join(root, "a folder/in it"), "");
    expect(await change("DELETE", "/moved?recursive=true")).toBe("204");
    expect(await change("DELETE", "/a%20folder")).toBe("409 FOLDER_NOT_EMPTY");
    expect(await change("DELETE", "/a%20folder?recursive=perhaps")).toBe("400 VALIDATION_ERROR");
    expect(await change("DELETE", "/a%20folder?recursive=true")).toBe("204");
    expect(await change("DELETE", "/three")).toBe("204");
    expect(await change("DELETE", "/three")).toBe("404 FILE_NOT_FOUND");
    for (const path of ["", "/..%2f..", "/..%2f../", "/..%2f..%2f", "/.%2f."])
      expect(await change("DELETE", `${path}?recursive=true`)).toStartWith(path === "" ? "204" : "400");
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("kept");
    expect(readdirSync(join(container.folder, "root"))).toContain("etc");
  });

  test("a refused change says what is wrong with which part of it, and nothing is changed", async () => {
    const root = join(container.folder, "root/refused");
    mkdirSync(join(root, "in"), { recursive: true });
    writeFileSync(join(root, "kept"), "kept");
    const files = container.expose("refused-files", "files");
    const refusal = async (method: string, path: string) => {
      const body = method === "PUT" ? { body: "x" } : {};
      const answer = await ask(`${files}${path}`, { method, ...body });
      const { code, message, data } = JSON.parse((await answer.text()) || "{}");
      return { is: `${answer.status} ${code} ${data?.field}`, message, data };
    };
    const long = "x".repeat(256);
    for (const [method, path, field, words] of [
      ["DELETE", "/refused/in%2f..%2fkept", "path", "`..`"],
      ["DELETE", "/refused/in%2F%2e%2e/kept?recursive=true", "path", "`..`"],
      ["POST", "/refused/in%2f..%2fnew?action=mkdir", "path", "`..`"],
      ["POST", "/refused/in%2f..%2fkept?action=move&to=/refused/moved", "path", "`..`"],
      ["POST", "/refused/kept?action=move&to=/refused/in/../moved", "query.to", "`..`"],
      ["PUT", "/refused/in%2f..?name=new", "path", "`..`"],
      ["DELETE", "/refused/kept?recursive=true&recursive=true", "query.recursive", "once"],
      ["DELETE", "/refused/kept?force=true", "query.force", "is unknown"],
      ["PUT", "/refused?name=a&name=b", "query.name", "once"],
      ["PUT", "/refused?name=a&overwrite=true", "query.overwrite", "is unknown"],
      ["POST", "/refused/new?action=mkdir&mode=755", "query.mode", "is unknown"],
      ["POST", "/refused/new?action=mkdir&to=/refused/x", "query.to", "action=move"],
      ["PUT", "/refused?name=%ff", "query.name", "UTF-8"],
      ["POST", "/refused/%ff?action=mkdir", "path", "UTF-8"],
      ["POST", "/refused/kept?action=move&to=/refused/%ff", "query.to", "UTF-8"],
      ["PUT", `/refused?name=${long}`, "query.name", "255 bytes"],
      ["POST", `/refused/${long}?action=mkdir`, "path", "255 bytes"],
      ["POST", `/refused/kept?action=move&to=/refused/${long}`, "query.to", "255 bytes"],
    ] as const) {
      const { is, message } = await refusal(method, path);
      expect([path, is, message]).toEqual([
        path,
        `400 VALIDATION_ERROR ${field}`,
        expect.stringContaining(words),
      ]);
    }
    expect(readdirSync(root).toSorted()).toEqual(["in", "kept"]);

    // What the container's system does not let even its root write.
    expect((await refusal("PUT", "/proc/sys/kernel?name=new")).is).toStartWith("409 FILE_NOT_WRITABLE");
    const mounted = await refusal("POST", "/dev?action=move&to=/refused/dev");
    expect(mounted).toMatchObject({
      is: "409 FILE_IS_MOUNTED path",
      message: expect.stringContaining("is at /dev"),
    });
    expect((await refusal("DELETE", "/proc?recursive=true")).data).toEqual({ field: "path", mount: "/proc" });
  });

  test("a name is its bytes: what is no text, ends lines or looks like something else is listed, led to and read", async () => {
    const folder = join(container.folder, "root/srv/odd");
    mkdirSync(folder);
    const names = [
      Buffer.from("latin-\xe9\xff.txt", "latin1"),
      Buffer.from("two\nlines\n"),
      Buffer.from("\\0101 %41 $(id) `id` 'quoted' \"\t"),
      Buffer.from("-n"),
      Buffer.from("<img src=x>"),
      Buffer.from("\u202egpj.exe"),
      Buffer.from("ö".repeat(126)),
      Buffer.from(" "),
      Buffer.from("a;b?c#d&e"),
    ];
    for (const name of names) {
      const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
      writeFileSync(path, name);
      mkdirSync(Buffer.concat([path, Buffer.from(".d")]));
      writeFileSync(Buffer.concat([path, Buffer.from(".d/inner")]), name);
    }
    utimesSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from("-n")]), -1, -1);
    const files = container.expose("odd-files", "files");
    const listed = (await (
      await ask(`${files}/srv/odd`, { headers: { accept: "application/json" } })
    ).json()) as { truncated: boolean; entries: { name: string; address: string; type: string }[] };
    expect([listed.truncated, listed.entries.length]).toEqual([false, names.length * 2]);
    for (const name of names) {
      const entry = listed.entries.find(({ address }) => decoded(address).equals(name));
      expect(entry).toMatchObject({ name: name.toString(), type: "file" });
      const answer = await ask(`${files}/srv/odd/${entry?.address}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(name)).toBe(true);
      const disposition = answer.headers.get("content-disposition") ?? "";
      expect(disposition).toMatch(
        /^attachment; filename=("([ !#-[\]-~]|\\["\\])+"|[A-Za-z0-9!#$%&'*+.^_`|~-]+)(; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+)?$/,
      );
      const page = await (await ask(`${files}/srv/odd/${entry?.address}.d`)).text();
      const [, href = ""] = /<a href="([^"]*inner)">/.exec(page) ?? [];
      expect(Buffer.from(await (await ask(`${files}${href}`)).arrayBuffer()).equals(name)).toBe(true);
      expect(page).not.toContain("<img");
    }
    expect((await ask(`${files}/srv/odd/${"x".repeat(300)}`)).status).toBe(404);
    expect((await ask(`${files}/${"x/".repeat(2_100)}`)).status).toBe(400);
  });

  test("a folder of more than anybody reads is listed in part, and says so; a link to a folder lists where it leads", async () => {
    const folder = join(container.folder, "root/srv/many");
    mkdirSync(folder);
    for (let n = 0; n < 5_000; n++) writeFileSync(join(folder, `file-${n}`), "");
    symlinkSync("many", join(container.folder, "root/srv/link-to-many"));
    const files = container.expose("many-files", "files");
    const list = async (path: string) =>
      (await (await ask(`${files}${path}`, { headers: { accept: "application/json" } })).json()) as {
        truncated: boolean;
        count: number;
        entries: unknown[];
      };
    expect(await list("/srv/many")).toMatchObject({
      truncated: false,
      count: 5_000,
      entries: { length: 5_000 },
    });
    writeFileSync(join(folder, "one more"), "");
    const { truncated, count, entries } = await list("/srv/link-to-many");
    expect([truncated, count, entries.length]).toEqual([true, 5_000, 5_000]);
    expect(await (await ask(`${files}/srv/many`)).text()).toContain("This folder holds more");
  });

  test("a deleted container's addresses are gone at once", async () => {
    await using other = await servedContainer(newDriver(testPool(10)));
    const { urls } = other;
    const credential = { headers: { authorization: `Bearer ${await other.token()}` } };
    expect((await other.request(`${urls.pipe}/help`, credential)).status).toBe(200);
    await other.want({ state: "deleted" });
    for (const url of Object.values(urls)) expect((await other.request(url, credential)).status).toBe(404);
  });
});
