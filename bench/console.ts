import type { Page } from "playwright-core";
import { bundleConsole } from "../gateway/console/server/bundle.ts";
import { firstScripts } from "../test/gateway/console/first-scripts.ts";
import { signIn, visit } from "../test/gateway/console/visitor.ts";
import { inStock } from "../test/gateway/routes/market/stock.ts";
import { lacksChromium } from "../test/harness/browser.ts";
import { type Stack, startStack, type TestUser } from "../test/harness/stack.ts";
import { until } from "../test/harness/until.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { median } from "./statistics.ts";

const ROWS = 500;
const INTERACTIVE_MS_MAX = 1_000;
const FRAME_MS = 1_000 / 60;
/** A frame that comes later than this is one that was left out. */
const LATE_FRAME_MS = 1.5 * FRAME_MS;
const SCROLLED_PX = 40;
const KIB = 1_024;
/** On a machine that does other work as well. */
const USABLE_MS_MAX = 60_000;

/** The console as its user meets it: in Chromium, from a gateway of its own. */
export const consolePages: Benchmark = {
  summary:
    "The console in Chromium: how soon its first page can be used, how a long list scrolls, what is loaded",
  async run({ rounds, seconds, say }: RunOptions): Promise<Report> {
    if (lacksChromium()) throw new Error("the console is measured in Chromium");
    const stack = await startStack();
    try {
      const user = await stack.user({ balance: "100.00" });
      say(`putting ${ROWS} servers into stock`);
      const specs = {
        cpu_cores: 8,
        ram_gb: 32,
        country: "DE",
        disks: [{ type: "nvme", size_gb: 500 } as const],
      };
      for (let row = 0; row < ROWS; row++) await inStock(stack, `row-${row}`, { specs });
      return {
        method: [
          `A gateway and an actor host on this machine, in processes of their own; Chromium without a graphics card, ${rounds} rounds.`,
          "Usable: from the start of the navigation until the page has its heading and what it reads, and the next frame is drawn and idle. A new profile has nothing in its cache; a reload has the scripts.",
          `Scrolling: the marketplace with all ${ROWS} servers shown, each a card with prices, ${SCROLLED_PX} pixels a frame for ${seconds} s a round.`,
        ],
        series: [],
        tables: [
          await firstPages(stack, user, rounds),
          await frames(stack, user, rounds, seconds),
          await sizes(),
        ],
        versions: {},
      };
    } finally {
      await stack.stop();
    }
  },
};

async function firstPages(stack: Stack, user: TestUser, rounds: number): Promise<Table> {
  const times = { signIn: [] as number[], home: [] as number[], list: [] as number[] };
  // The first visit of all compiles the routes of the gateway.
  for (let round = -1; round < rounds; round++) {
    const { page } = await visit("about:blank");
    await page.addInitScript(NOTE_USABLE);
    await page.goto(`${stack.url}/sign-in`);
    const first = await usableMs(page);
    await signIn(page, user);
    await page.goto(stack.url);
    const home = await usableMs(page);
    await page.goto(`${stack.url}/marketplace`);
    const list = await usableMs(page);
    await page.context().close();
    if (round < 0) continue;
    times.signIn.push(first);
    times.home.push(home);
    times.list.push(list);
  }
  const slowest = Math.max(median(times.signIn), median(times.home));
  const row = (title: string, all: number[]) => [title, median(all).toFixed(0), Math.max(...all).toFixed(0)];
  return {
    title: "Until a page can be used",
    rows: [
      ["page", "median ms", "slowest ms"],
      row("sign in, nothing in the cache", times.signIn),
      row("home, signed in", times.home),
      row(`marketplace with ${ROWS} servers`, times.list),
    ],
    notes: [
      `The first page can be used within ${INTERACTIVE_MS_MAX} ms: ${slowest <= INTERACTIVE_MS_MAX ? "yes" : "NO"}, ${slowest.toFixed(0)} ms.`,
    ],
  };
}

async function frames(stack: Stack, user: TestUser, rounds: number, seconds: number): Promise<Table> {
  const { page } = await visit(`${stack.url}/marketplace`);
  await signIn(page, user);
  await showAll(page);
  const rows = [["round", "frames a second", "median ms", "late frames"]];
  const rates: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const times = (await page.evaluate(scrolling(Math.round(seconds * 60)))) as number[];
    const rate = 1_000 / (times.reduce((sum, one) => sum + one, 0) / times.length);
    rates.push(rate);
    const late = times.filter((one) => one > LATE_FRAME_MS).length;
    rows.push([String(round), rate.toFixed(1), median(times).toFixed(1), `${late} of ${times.length}`]);
  }
  await page.context().close();
  return {
    title: `Scrolling ${ROWS} rows`,
    rows,
    notes: [
      `60 frames a second, within 2%: ${median(rates) >= 58.8 ? "yes" : "NO"}, ${median(rates).toFixed(1)}.`,
    ],
  };
}

/** The list shows a part, and more when it is asked. */
async function showAll(page: Page): Promise<void> {
  const tiles = page.getByRole("button", { name: /^Rent row-/ });
  await tiles.first().waitFor();
  for (let shown = 0; shown < ROWS; shown = await tiles.count()) {
    const before = await tiles.count();
    await page.getByRole("button", { name: /^Show more/ }).click();
    await until(async () => (await tiles.count()) > before, { timeoutMs: USABLE_MS_MAX });
  }
}

async function sizes(): Promise<Table> {
  const files = await bundleConsole();
  const of = (ending: string) => files.filter(({ name }) => name.endsWith(ending));
  const size = (chosen: typeof files) =>
    [
      chosen.reduce((sum, { gzip }) => sum + gzip.length, 0),
      chosen.reduce((sum, { brotli }) => sum + brotli.length, 0),
    ].map((bytes) => (bytes / KIB).toFixed(1));
  return {
    title: "What is loaded, KiB",
    rows: [
      ["files", "gzip", "brotli"],
      ["all scripts", ...size(of(".js"))],
      ["the first script and what it imports at once", ...size(firstScripts(files))],
      ["styles", ...size(of(".css"))],
    ],
    notes: [],
  };
}

/** Notes when the page has its heading and nothing in it is still being read. */
const NOTE_USABLE = `
  new MutationObserver((_, observer) => {
    if (document.querySelector("h1") === null || document.querySelector(".skeleton") !== null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

const usableMs = (page: Page): Promise<number> =>
  until(() => page.evaluate<number | undefined>("window.usableAt"), { timeoutMs: USABLE_MS_MAX });

/** Scrolls for a number of frames; gives the time of each. At the end of the list it goes on from its beginning. */
const scrolling = (count: number) => `new Promise((resolve) => {
  const times = [];
  let last;
  const frame = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    const { scrollTop, scrollHeight, clientHeight } = document.scrollingElement;
    if (scrollTop + clientHeight >= scrollHeight - 1) scrollTo(0, 0);
    else scrollBy(0, ${SCROLLED_PX});
    if (times.length < ${count}) requestAnimationFrame(frame);
    else resolve(times);
  };
  requestAnimationFrame(frame);
})`;
