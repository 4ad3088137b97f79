import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";
import { connected, newWindow, openWindow, shown, shows } from "./chromium.ts";

const missing = lacks("chromium");

describe.skipIf(missing)("in Chromium", () => {
  test("a person types and reads, and the page breaks no rule of its own policy", async () => {
    const options = { webgl: true };
    await using window = await openWindow(
      "terminal_id=7&title=My+box&fontSize=16&backgroundColor=navy",
      options,
    );
    expect(await window.page.getAttribute("html", "data-renderer")).toBe("webgl");
    await window.page.keyboard.type("echo $((6*7)) grüße 漢字\n");
    await shows(window.page, "\n42 grüße 漢字");
    expect(await window.page.title()).toBe("My box");
    expect(
      await window.page.evaluate(
        () => (globalThis as never as { terminal: { options: object } }).terminal.options,
      ),
    ).toMatchObject({
      fontSize: 16,
      theme: { background: "navy" },
    });
    expect(window.complaints).toEqual([]);
  });

  test.skipIf(lacks("vim"))(
    "vim works: its screen, its keys, and the shell as it was afterwards",
    async () => {
      await using window = await openWindow("terminal_id=7");
      const { page } = window;
      await page.keyboard.type("vim -u NONE -N\n");
      await shows(page, "VIM - Vi IMproved");
      await page.keyboard.type("ihello from vim");
      await page.keyboard.press("Escape");
      await shows(page, "hello from vim");
      await page.reload();
      await connected(page);
      await shows(page, /hello from vim *\n~ *\n~/);
      await page.keyboard.type(":q!\n");
      await shows(page, /vim -u NONE -N\nbash[^\n]*$/);
    },
  );

  test("a page that is loaded again comes back to its session", async () => {
    await using window = await openWindow("");
    const { page } = window;
    await page.keyboard.type("mark=kept; echo mark is $mark\n");
    await shows(page, "mark is kept");
    expect(page.url()).toMatch(/\?terminal_id=\d+$/);
    await page.reload();
    await connected(page);
    await shows(page, "mark is kept");
    await page.keyboard.type("echo still $mark\n");
    await shows(page, "still kept");
  });

  test("secrets and what happens once leave the address", async () => {
    await using window = await openWindow(
      "terminal_id=7&reset=true&cmd=bHM%3D&ssh_password=hunter2&readonly&env=DB_PASSWORD=hunter2&env=A=1&env=URL=pg://me:hunter2@db/x",
    );
    expect(window.page.url()).toBe(`${window.service.origin}/?terminal_id=7&readonly&env=A%3D1`);
  });

  test("secrets leave the address of an error and of a question as well, and the way on still has them", async () => {
    await using service = startService();
    const { page, complaints } = await newWindow();
    const secret = "ssh_host=127.0.0.1&ssh_user=me&ssh_port=1&ssh_password=hunter2";
    const asked: string[] = [];
    page.on("request", (request) => request.isNavigationRequest() && asked.push(request.url()));
    await page.goto(`${service.origin}/?${secret}&cmd=bHM&cwd=%2Fa%20b`);
    await page.waitForFunction("!location.search.includes('hunter2')");
    expect(page.url()).toContain("ssh_host=127.0.0.1");
    expect(page.url()).not.toContain("cmd=");
    expect(await page.textContent("h1")).toBe("No SSH connection");
    expect(await page.getAttribute("nav a", "href")).toBe("/");
    await page.click("button[data-again]");
    await until(() => asked.length === 2);
    expect(asked[1]).toContain("ssh_password=hunter2&cmd=bHM");
    await page.waitForFunction("!location.search.includes('hunter2')");
    // Led here by another site: asked first, and nothing of it stays in the history.
    await page.goto(
      `${service.origin}/?fontSize=1&socks5_pass=hunter2&access_token=hunter2&env=API_TOKEN=hunter2`,
    );
    await page.waitForFunction("!location.search.includes('hunter2')");
    expect(await page.textContent("main")).toContain("fontSize: must be");
    await page.setExtraHTTPHeaders({ "sec-fetch-site": "cross-site" });
    await page.goto(`${service.origin}/?terminal_id=7&ssh_key=hunter2&env=A=1`).catch(() => null);
    await page.waitForFunction("!location.search.includes('hunter2')");
    expect(complaints.filter((line) => !line.includes("Failed to load resource"))).toEqual([]);
  });

  test("two windows show one session in the smaller one's size, and both may type", async () => {
    await using large = await openWindow("terminal_id=7");
    const small = await large.context.newPage();
    await small.setViewportSize({ width: 500, height: 400 });
    await small.goto(`${large.service.origin}/?terminal_id=7`);
    await connected(small);
    const size = (page: Page) =>
      page.evaluate(() => {
        const { cols, rows } = (globalThis as never as { terminal: { cols: number; rows: number } }).terminal;
        return `${cols}x${rows}`;
      });
    const session = large.service.terminal.sessions.get(7);
    await until(
      async () =>
        (await size(large.page)) === (await size(small)) &&
        session?.size.cols === Number((await size(small)).split("x")[0]),
    );
    await large.page.keyboard.type("echo from the large one\n");
    await shows(small, "\nfrom the large one");
    await small.keyboard.type("echo from the small one\n");
    await shows(large.page, "\nfrom the small one");
    expect(await large.page.textContent(".viewers")).toBe("2 viewers");
    const before = session?.size.cols ?? 0;
    await small.close();
    await until(() => (session?.size.cols ?? 0) > before);
  });

  test("the terminal follows the window's size", async () => {
    await using window = await openWindow("terminal_id=7");
    const session = window.service.terminal.sessions.get(7);
    await until(() => (session?.size.cols ?? 0) > 100);
    await window.page.setViewportSize({ width: 420, height: 500 });
    await until(() => (session?.size.cols ?? 100) < 60);
    await window.page.keyboard.type("stty size\n");
    await shows(window.page, `${session?.size.rows} ${session?.size.cols}`);
  });

  test("a page that only watches takes no keys", async () => {
    await using window = await openWindow("terminal_id=7&readonly");
    const other = await window.service.open("terminal_id=7");
    await window.page.keyboard.type("echo intruder\n");
    other.type("echo done $((1+1))\n");
    await shows(window.page, "done 2");
    expect(await shown(window.page)).not.toContain("intruder");
    expect(await window.page.isVisible(".badge")).toBe(true);
    expect(await window.page.locator(".keys").count()).toBe(0);
  });

  test("another site's link asks first; the click opens the terminal", async () => {
    await using service = startService();
    const led = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(
          `<a id="a" href="${service.origin}/?terminal_id=7&cmd=${btoa("echo it ran")}&ssh_password=hunter2">go</a><img src="${service.origin}/?terminal_id=9">`,
          {
            headers: { "content-type": "text/html" },
          },
        ),
    });
    const { page, complaints } = await newWindow();
    await page.goto(`http://localhost:${led.port}/`);
    await page.click("#a");
    await page.waitForSelector("#open");
    expect(await page.textContent("main")).toContain("echo it ran");
    expect(page.url()).not.toContain("hunter2");
    expect(service.terminal.sessions.all).toHaveLength(0);
    await page.click("#open");
    await connected(page);
    await shows(page, "it ran");
    // Not even by going back.
    await page.goBack();
    expect(page.url()).toBe(`http://localhost:${led.port}/`);
    expect(complaints.filter((line) => !line.includes("Failed to load resource"))).toEqual([]);
    await led.stop(true);
  });

  test("the question shows signs of every script one after the other, and the rest of what is long when asked", async () => {
    await using service = startService();
    const { page } = await newWindow();
    const command = "rm /אב/12/גד \u202e/34 ;ا echo";
    const cmd = Buffer.from(command).toString("base64url");
    const query = new URLSearchParams({ cmd, env: `A=${"y".repeat(2000)}evil` });
    await page.goto(
      `data:text/html,<a id="a" href="${encodeURIComponent(`${service.origin}/?${query}`)}">go</a>`,
    );
    await page.click("#a");
    await page.waitForSelector("#open");
    const places = await page.evaluate(() => {
      const { document } = globalThis as never as {
        document: {
          querySelectorAll(selector: string): { textContent: string; firstChild: object }[];
          createRange(): {
            setStart(node: object, at: number): void;
            setEnd(node: object, at: number): void;
            getBoundingClientRect(): { left: number };
          };
        };
      };
      const text = [...document.querySelectorAll("code")].find((one) => one.textContent.startsWith("rm"));
      if (text === undefined) return [];
      return Array.from(text.textContent, (_, at) => {
        const range = document.createRange();
        range.setStart(text.firstChild, at);
        range.setEnd(text.firstChild, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(places.length).toBeGreaterThan(command.length);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const rest = page.getByText(/yevil$/);
    expect(await rest.isVisible()).toBe(false);
    await page.click("summary");
    expect(await rest.isVisible()).toBe(true);
  });

  test("a lost connection is shown, and taken up again by itself", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    await page.keyboard.type("mark=kept\n");
    await shows(page, "mark=kept");
    await window.context.setOffline(true);
    // Chromium leaves open connections alone when it goes offline.
    await page.evaluate(() => undefined);
    for (const client of window.service.sockets) client.terminate();
    await page.waitForSelector('.app[data-state="waiting"]');
    expect(await page.textContent(".status")).toContain("Reconnecting");
    await window.context.setOffline(false);
    await connected(page);
    expect(await page.isVisible(".status")).toBe(false);
    await page.keyboard.type("echo still $mark\n");
    await shows(page, "still kept");
  });

  test("the end of the program is said with its status, and Enter starts again", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    await page.keyboard.type("exit 3\n");
    await page.waitForSelector('.app[data-state="ended"]');
    expect(await page.textContent(".status")).toContain("ended with status 3");
    await page.keyboard.press("Enter");
    await connected(page);
    await page.keyboard.type("echo anew $((1+1))\n");
    await shows(page, "anew 2");
  });

  test("a paste is text: it cannot press keys, nor leave its brackets", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    await page.keyboard.type("echo rea''dy; cat -v\n");
    await shows(page, "\nready");
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "safe\\x1b[201~\\x1b[A\\x03\\x04text");
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector(".xterm-helper-textarea").dispatchEvent(event);
    }`);
    await page.keyboard.press("Enter");
    await shows(page, "\nsafe[201~[Atext");
  });

  test("a program's question gets one answer, the server's, with two windows on it", async () => {
    await using window = await openWindow("terminal_id=7");
    const second = await window.context.newPage();
    await second.goto(`${window.service.origin}/?terminal_id=7`);
    await connected(second);
    await window.page.keyboard.type(
      "clear; stty -echo; for q in '[c' '[>c' '[6n' '[?6n' '[?25$p' ']11;?\\a' ']4;1;?\\a' '[21t' '[18t' '[>q' 'P$qm\\033\\\\'; do printf \"\\033$q\"; done; printf 'as''ked'; IFS= read -r -d Z a; stty echo; printf '%q fin''ished' \"$a\"\n",
    );
    // Who shows this has seen the questions before it, and would have answered.
    for (const page of [window.page, second]) await shows(page, "asked");
    await window.page.keyboard.type("Z");
    await shows(window.page, "finished");
    const answers = (await shown(window.page)).replaceAll("\n", "");
    expect(answers.match(/\\E\[\?1;2c/g)).toHaveLength(1);
    expect(answers.match(/\\E\]11;rgb/g)).toHaveLength(1);
    expect(answers.match(/\\E\[\d+;\d+R/g)).toHaveLength(1);
  });

  test("the panel is where and as large as was asked, in a sandbox, and can be put away", async () => {
    const panel = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        new Response(`referrer [${request.headers.get("referer")}]`, {
          headers: { "content-type": "text/html" },
        }),
    });
    const url = encodeURIComponent(`http://localhost:${panel.port}/`);
    await using window = await openWindow(
      `terminal_id=7&panel=${url}&panel-position=left&panel-width=300px&env=SECRET=x`,
    );
    const { page } = window;
    const box = await page.locator(".panel").boundingBox();
    expect(box).toMatchObject({ x: 0, width: 300 });
    expect(await page.frameLocator(".panel iframe").locator("body").textContent()).toBe("referrer [null]");
    expect(await page.getAttribute(".panel iframe", "sandbox")).not.toContain("allow-top-navigation");
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(450, 300);
    await page.mouse.up();
    await until(async () => Math.abs(((await page.locator(".panel").boundingBox())?.width ?? 0) - 450) < 5);
    // Whether a page refuses to be framed cannot be told, so every panel says how to see it.
    expect(await page.textContent(".panel header")).toContain("may not allow itself to be shown");
    expect(await page.getAttribute(".panel header a", "href")).toBe(`http://localhost:${panel.port}/`);
    await page.click('button[title="Side panel"]');
    expect(await page.isVisible(".panel")).toBe(false);
    expect(window.complaints).toEqual([]);
    await panel.stop(true);
  });

  test("a panel shows a path of the terminal's own address", async () => {
    await using window = await openWindow("terminal_id=7&panel=/api/v1/terminal/openapi.json%3Fx");
    const frame = window.page.frameLocator(".panel iframe");
    await until(async () => (await frame.locator("body").textContent())?.includes('"openapi": "3.0.0"'));
    // It is shown for certain, and is called by its path.
    const head = await window.page.textContent(".panel header");
    expect(head).toContain("/api/v1/terminal/openapi.json");
    expect(head).not.toMatch(/may not allow itself|localhost|127/);
    expect(window.complaints).toEqual([]);
  });

  test("a panel that is not visible loads nothing; the toolbar can be left out", async () => {
    await using window = await openWindow(
      "terminal_id=7&panel=http://localhost:9/&panel-visible=false&hide-toolbar",
    );
    expect(await window.page.isVisible(".panel")).toBe(false);
    expect(await window.page.getAttribute(".panel iframe", "src")).toBeNull();
    expect(await window.page.locator(".toolbar").count()).toBe(0);
  });

  test("a phone has the keys that it lacks, and Ctrl holds for the next one", async () => {
    await using window = await openWindow("terminal_id=7", {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = window;
    await page.keyboard.type("cat -v\n");
    await page.tap('button[title="Esc"]');
    await page.tap('button[title="Arrow ↑"]');
    await page.tap('button[title="|"]');
    await page.keyboard.press("Enter");
    await shows(page, "^[^[[A|");
    await page.tap('button[title="Ctrl"]');
    await page.keyboard.type("c");
    await page.keyboard.type("echo back $((1+1))\n");
    await shows(page, "back 2");
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test("text is searched for, and sessions are listed, renamed and ended", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    await page.keyboard.type("echo needle in a haystack\n");
    await shows(page, "\nneedle");
    await page.keyboard.press("Control+Shift+F");
    await page.fill(".search input", "needle in");
    await until(() =>
      page.evaluate(
        () =>
          (globalThis as never as { terminal: { getSelection(): string } }).terminal.getSelection() ===
          "needle in",
      ),
    );
    await page.fill(".search input", "no such thing");
    await page.waitForSelector(".search .nothing");
    await page.keyboard.press("Escape");
    page.on("dialog", (dialog) => void dialog.accept("Build <b>"));
    await page.keyboard.type("cd /usr/lib\n");
    await page.click('button[title="Sessions"]');
    expect(await page.textContent(".sessions li small")).toBe("/usr/lib · bash · just now · 1 viewer");
    await page.click('button[title^="Rename"]');
    await page.waitForSelector('.sessions a:has-text("Build <b>")');
    expect(await page.title()).toBe("Build <b>");
    await page.click('button[title^="End"]');
    await page.waitForSelector('.app[data-state="ended"]');
  });

  test("a file that is dropped on the terminal is there; one that a program offers is taken when the person says so", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    const folder = temporaryFolder();
    await page.keyboard.type(`cd ${folder}; echo in''side\n`);
    await shows(page, "\ninside");
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["dropped text"], "dropped.txt"));
      document.querySelector(".screen").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await page.waitForSelector('.status:has-text("dropped.txt is there.")');
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    const taking = page.waitForEvent("download");
    await page.keyboard.type("printf '\\033]5113;%s\\007' \"$(realpath dropped.txt | base64 -w0)\"\n");
    const download = await taking;
    expect(asked).toEqual([`Download ${folder}/dropped.txt?`]);
    expect(download.suggestedFilename()).toBe("dropped.txt");
    expect(await Bun.file(await download.path()).text()).toBe("dropped text");
  });

  test("without WebGL the page draws anyway", async () => {
    const service = startService();
    const window = await newWindow();
    await window.page.goto(`${service.origin}/?terminal_id=7`);
    await connected(window.page);
    expect(await window.page.getAttribute("html", "data-renderer")).toBe("dom");
    const drawn = "\\e[38;2;250;120;10mtrue \\e[48;2;10;20;90;31mback\\e[m \\e[34mblue";
    await window.page.keyboard.type(`printf "${drawn}\\e[m drawn $((1+1))\\n"\n`);
    await window.page.waitForSelector('.xterm-rows:has-text("drawn 2")');
    const styleOf = (text: string) =>
      window.page.evaluate(`(() => {
        const span = [...document.querySelectorAll(".xterm-rows span")].find((one) => one.textContent.trim() === "${text}");
        const { color, backgroundColor } = getComputedStyle(span);
        return { color, backgroundColor };
      })()`) as Promise<{ color: string; backgroundColor: string }>;
    expect((await styleOf("true")).color).toBe("rgb(250, 120, 10)");
    expect((await styleOf("back")).backgroundColor).toBe("rgb(10, 20, 90)");
    // The palette's blue is #3465a4, which is too dark to be read on this background.
    const [, , blue = 0] = (await styleOf("blue")).color.match(/\d+/g)?.map(Number) ?? [];
    expect(blue).toBeGreaterThan(0xa4);
    expect(window.complaints).toEqual([]);
    await window.context.close();
    await service[Symbol.asyncDispose]();
  });

  test("a background that lets the page through is one tone from edge to edge", async () => {
    for (const webgl of [false, true]) {
      await using window = await openWindow("terminal_id=7&backgroundColor=%23f0000080", { webgl });
      const { page } = window;
      const box = await page.locator(".screen").boundingBox();
      if (box === null) throw new Error("no screen");
      // The right half: no text, and its three outer edges.
      const clip = { ...box, x: box.x + box.width / 2, width: box.width / 2 };
      const png = (await page.screenshot({ clip })).toString("base64");
      const tones = await page.evaluate(`(async () => {
        const bytes = Uint8Array.from(atob("${png}"), (char) => char.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, image.width, image.height);
        return [...new Set(new Uint32Array(data.buffer))].map((pixel) => (pixel & 0xffffff).toString(16));
      })()`);
      expect(tones).toEqual(["f0f87"]);
    }
  });

  test("a flood leaves the page alive and at the end of it", async () => {
    await using window = await openWindow("terminal_id=7");
    await window.page.keyboard.type("seq 1 1000000; echo fin''ished\n");
    await shows(window.page, "1000000\nfinished");
    await window.page.keyboard.type("echo alive $((1+1))\n");
    await shows(window.page, "alive 2");
    expect(window.complaints).toEqual([]);
  });
});
