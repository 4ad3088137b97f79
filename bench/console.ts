import type { Page } from "playwright-core";
import { bundleConsole } from "../gateway/console/server/bundle.ts";
import { firstScripts } from "../test/gateway/console/first-scripts.ts";
import { signIn, visit } from "../test/gateway/console/visitor.ts";
import { inStock, rented } from "../test/gateway/routes/market/stock.ts";
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
const LIST_MS_MAX = 500;
const KIB = 1_024;
/** On a machine that does other work as well. */
const USABLE_MS_MAX = 60_000;

const LISTS = [
  { path: "/marketplace", title: `marketplace with ${ROWS} servers`, row: ".product" },
  { path: "/servers", title: `${ROWS} rented servers`, row: "tbody tr" },
  { path: "/containers", title: `${ROWS} containers`, row: "tbody tr" },
] as const;
const PAGES = [
  { path: "/sign-in", title: "sign in, nothing in the cache" },
  { path: "/", title: "home, signed in" },
  ...LISTS,
] as const;

/** The console as its user meets it: in Chromium, from a gateway of its own. */
export const consolePages: Benchmark = {
  summary:
    "The console in Chromium: how soon its first page can be used, how a long list scrolls, what is loaded",
  async run({ rounds, seconds, say }: RunOptions): Promise<Report> {
    if (lacksChromium()) throw new Error("the console is measured in Chromium");
    const stack = await startStack({ gatewayProcess: true, env: QUOTAS });
    try {
      const user = await stack.user({ balance: "5000.00" });
      say(`making ${ROWS} servers for rent, and ${ROWS} that are rented, each with a container`);
      await fill(stack, user);
      return {
        method: [
          `A gateway and an actor host on this machine, in processes of their own; Chromium without a graphics card, ${rounds} rounds.`,
          "Usable: from the start of the navigation until the page has its heading and what it reads, and the next frame is drawn and idle. A new profile has nothing in its cache; a reload has the scripts.",
          `The rest of the marketplace: from the press of "Show more" until all ${ROWS} servers are drawn, each a card with prices.`,
          `Scrolling: all ${ROWS} rows of each list are shown, ${SCROLLED_PX} pixels a frame for ${seconds} s a round.`,
        ],
        series: [],
        tables: [
          await firstPages(stack, user, rounds),
          await restOfMarketplace(stack, user, rounds),
          ...(await frames(stack, user, rounds, seconds)),
          await sizes(),
        ],
        versions: {},
      };
    } finally {
      await stack.stop();
    }
  },
};

const SPECS = {
  cpu_cores: 8,
  ram_gb: 32,
  country: "DE",
  disks: [{ type: "nvme", size_gb: 500 } as const],
};

/** More than a user has by default. */
const QUOTAS = {
  BERTH_QUOTA_CONTAINERS_PER_USER: String(ROWS),
  BERTH_QUOTA_CONTAINERS_PER_PROJECT: String(ROWS),
};

async function fill(stack: Stack, user: TestUser): Promise<void> {
  const { token } = user;
  const project = await stack.call("POST", "/api/v1/projects", { token, body: { name: "rows" } });
  for (let row = 0; row < ROWS; row++) {
    await inStock(stack, `row-${row}`, { specs: SPECS });
    const { serverId } = await rented(stack, user, `rented-${row}`, { specs: SPECS });
    const body = { project_id: project.body.data.id, server_id: serverId, name: `container-${row}` };
    const { status } = await stack.call("POST", "/api/v1/containers", { token, body });
    if (status >= 300) throw new Error(`container ${row} was refused: ${status}`);
  }
}

async function firstPages(stack: Stack, user: TestUser, rounds: number): Promise<Table> {
  const times = PAGES.map((): number[] => []);
  // The first visit of all compiles the routes of the gateway.
  for (let round = -1; round < rounds; round++) {
    const { page } = await visit("about:blank");
    await page.addInitScript(NOTE_USABLE);
    for (const [index, { path }] of PAGES.entries()) {
      await page.goto(`${stack.url}${path}`);
      const usable = await usableMs(page);
      if (round >= 0) times[index]?.push(usable);
      if (path === "/sign-in") await signIn(page, user);
    }
    await page.context().close();
  }
  const medians = times.map(median);
  const [first, home, ...lists] = medians;
  return {
    title: "Until a page can be used",
    rows: [
      ["page", "median ms", "slowest ms"],
      ...PAGES.map(({ title }, index) => [
        title,
        (medians[index] ?? 0).toFixed(0),
        Math.max(...(times[index] ?? [])).toFixed(0),
      ]),
    ],
    notes: [
      within("The first page can be used", Math.max(first ?? 0, home ?? 0), INTERACTIVE_MS_MAX),
      within(`Each list of ${ROWS} can be used`, Math.max(...lists), LIST_MS_MAX),
    ],
  };
}

const within = (what: string, ms: number, max: number): string =>
  `${what} within ${max} ms: ${ms <= max ? "yes" : "NO"}, ${ms.toFixed(0)} ms.`;

async function restOfMarketplace(stack: Stack, user: TestUser, rounds: number): Promise<Table> {
  const { page } = await visit(`${stack.url}/marketplace`);
  await signIn(page, user);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.reload();
    await page.getByRole("button", { name: /^Show more/ }).waitFor();
    times.push(await page.evaluate<number>(PRESS_SHOW_MORE));
  }
  await page.context().close();
  return {
    title: `Until the rest of ${ROWS} servers is shown`,
    rows: [
      ["median ms", "slowest ms"],
      [median(times).toFixed(0), Math.max(...times).toFixed(0)],
    ],
    notes: [within("They are shown", median(times), LIST_MS_MAX)],
  };
}

async function frames(stack: Stack, user: TestUser, rounds: number, seconds: number): Promise<Table[]> {
  const { page } = await visit(`${stack.url}/marketplace`);
  await signIn(page, user);
  const tables = [];
  for (const { path, title, row } of LISTS) {
    await page.goto(`${stack.url}${path}`);
    if (path === "/marketplace") await page.getByRole("button", { name: /^Show more/ }).click();
    await until(async () => (await page.locator(row).count()) >= ROWS, { timeoutMs: USABLE_MS_MAX });
    tables.push(await framesOf(page, title, rounds, seconds));
  }
  await page.context().close();
  return tables;
}

async function framesOf(page: Page, title: string, rounds: number, seconds: number): Promise<Table> {
  const rows = [["round", "frames a second", "median ms", "late frames"]];
  const rates: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const times = (await page.evaluate(scrolling(Math.round(seconds * 60)))) as number[];
    const rate = 1_000 / (times.reduce((sum, one) => sum + one, 0) / times.length);
    rates.push(rate);
    const late = times.filter((one) => one > LATE_FRAME_MS).length;
    rows.push([String(round), rate.toFixed(1), median(times).toFixed(1), `${late} of ${times.length}`]);
  }
  return {
    title: `Scrolling: ${title}`,
    rows,
    notes: [
      `60 frames a second, within 2%: ${median(rates) >= 58.8 ? "yes" : "NO"}, ${median(rates).toFixed(1)}.`,
    ],
  };
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

/** Presses the button, and gives the milliseconds until all rows are there and the next frame is drawn. */
const PRESS_SHOW_MORE = `new Promise((resolve) => {
  const begin = performance.now();
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll(".product").length < ${ROWS}) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
  }).observe(document, { childList: true, subtree: true });
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent.startsWith("Show more")).click();
})`;

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
