import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { closeAfterTest } from "./after-test.ts";
import { temporaryFolder } from "./servers.ts";

/**
 * Chromium without its windows, menus and extensions, which draws the same pages with a third of the processor time; the whole browser where Debian's
 * package of it is missing; or another one that is named.
 */
const CHROMIUM =
  process.env.CHROMIUM ??
  Bun.which("chromium-headless-shell") ??
  Bun.which("chromium") ??
  "/usr/bin/chromium";

/** On a machine that others use as well, a page may take as long to open as a test may take at all. */
const PAGE_MS_MAX = 90_000;

/** Whether there is no browser; says so. */
export function lacksChromium(): boolean {
  if (existsSync(CHROMIUM)) return false;
  console.log(`skipped: this machine lacks ${CHROMIUM}`);
  return true;
}

/** A real Chromium for all test files of this process, which it ends with. It has not the sandbox that it cannot have as root. */
let browser: Promise<Browser> | undefined;
const sharedBrowser = () => {
  browser ??= chromium.launch({
    executablePath: launcher(),
    // The last as in private windows: no page keeps or gets cookies in frames of other sites.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--test-third-party-cookie-phaseout"],
    timeout: PAGE_MS_MAX,
  });
  return browser;
};

export interface ContextOptions extends BrowserContextOptions {
  /** Without a graphics card WebGL is drawn by the processor, which takes more of it than all else on a page: off unless asked. */
  readonly webgl?: boolean;
}

const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return String(kind).startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
}`;

/** An empty profile, with all its pages closed after the test: a page goes on playing and drawing for as long as it is open. */
export async function newContext({
  webgl = false,
  ...options
}: ContextOptions = {}): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  closeAfterTest(() => context.close());
  if (!webgl) await context.addInitScript(WITHOUT_WEBGL);
  context.setDefaultTimeout(PAGE_MS_MAX);
  context.setDefaultNavigationTimeout(PAGE_MS_MAX);
  return context;
}

/** A program that starts Chromium as `launch-chromium.ts` says: Playwright takes one file, without arguments of its own. */
function launcher(): string {
  if (process.platform !== "linux") return CHROMIUM;
  const script = join(temporaryFolder(), "chromium");
  const program = [process.execPath, join(import.meta.dir, "launch-chromium.ts"), CHROMIUM];
  writeFileSync(script, `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}
