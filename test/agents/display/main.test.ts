import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { hostExecTarget } from "../../../agents/exec/host.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { lacks } from "../requirements.ts";

const MAIN = join(import.meta.dir, "../../../agents/display/main.ts");
/** Of no other test, and no desktop. */
const DISPLAY = 600 + (process.pid % 300);
const running: ReturnType<typeof Bun.spawn>[] = [];
afterAll(async () => {
  for (const child of running) {
    child.kill();
    await child.exited;
  }
  const lock = `/tmp/.X${DISPLAY}-lock`;
  if (existsSync(lock)) process.kill(Number(readFileSync(lock, "utf8")));
  rmSync(`/tmp/.berth-display-${DISPLAY}`, { recursive: true, force: true });
});

/** The service alone, as `bun run display` starts it; its address. */
async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const home = temporaryFolder();
  const child = Bun.spawn([process.execPath, MAIN, "--port", "0", ...args], {
    env: { ...process.env, HOME: home, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  sharedWatchdog().watch(child.pid, "TERM");
  for await (const piece of child.stdout) {
    const [, url] = /"url":"([^"]+)"/.exec(Buffer.from(piece).toString()) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("it ended");
}

describe.skipIf(lacks("Xvnc") || lacksChromium())("bun run display", () => {
  test("shows a display of this machine, which only its user can open", async () => {
    const url = await start([]);
    const { page, errors } = await openPage(`${url}display/${DISPLAY}`);
    await page.waitForSelector('main[data-state="connected"]');
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("header .status.good").getByText("connected", { exact: true }).waitFor();
    expect(errors).toEqual([]);
    expect(statSync(`/tmp/.berth-display-${DISPLAY}`).mode & 0o777).toBe(0o700);
    const open = await hostExecTarget.run({
      user: null,
      argv: ["env", "HOME=/nonexistent", `DISPLAY=:${DISPLAY}`, "xdpyinfo"],
    });
    expect(open.code).not.toBe(0);
  });

  test("on another address it needs a token, and refuses names that are not its own", async () => {
    const token = "a-token-of-this-test";
    const url = await start([], { BERTH_DISPLAY_TOKEN: token });
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await fetch(url, { headers: { host: "evil.example" } })).status).toBe(403);
  });
});

test("a bad option ends with one line that names it", async () => {
  const child = Bun.spawn([process.execPath, MAIN, "--hostname", "0.0.0.0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  expect(await new Response(child.stderr).text()).toContain("BERTH_DISPLAY_TOKEN");
  expect(await child.exited).toBe(1);
});
