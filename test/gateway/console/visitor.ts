import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { openPage } from "../../harness/open-page.ts";
import type { TestUser } from "../../harness/users.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface Visit {
  readonly page: Page;
  /** What went wrong in the page: exceptions, and what the browser writes to its console. */
  readonly errors: string[];
}

export interface VisitOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

/** A profile of its own at a page of the console, where nobody is signed in. */
export function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, scheme = "light" } = options;
  return openPage(url, {
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: "en-US",
    reducedMotion: "reduce",
    ignoreHTTPSErrors: true,
  });
}

/** Signs in by the form that the console shows at each address. */
export async function signIn(
  page: Page,
  { username, password }: Pick<TestUser, "username" | "password">,
): Promise<void> {
  await page.getByLabel("User name or e-mail address").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "attached" });
}

/** What axe finds wrong on the page as it is, each with the elements that it is about. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Once for a document, which all pages of the console share: it is half a megabyte of script.
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: unknown,
          options: { resultTypes: string[] },
        ): Promise<{ violations: { id: string; help: string; nodes: { target: unknown }[] }[] }>;
      };
    };
    const { violations } = await axe.run(
      // React Aria's own region for announcements, which is there for a moment and has its text by reference.
      { exclude: [["[data-live-announcer]"]] },
      // What passes is not described.
      { resultTypes: ["violations"] },
    );
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => String(target)).join(", ")}`,
    );
  });
}

/** Goes to another page as a link of the console does, without reading the document again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"));`,
  );
  // The page of before is shown until the script of this one has arrived.
  await page.locator(`#page[data-shown="${path.replace(/\?.*/, "")}"]`).waitFor();
  await drawn(page);
}

/** Waits until the page has its heading and what it read. */
export async function drawn(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** A refusal is an answer of the API, which the browser notes as a failed request. */
export const withoutRefusals = (errors: readonly string[]): string[] =>
  errors.filter((error) => !error.startsWith("Failed to load resource"));

/** What has moved on the page without anybody's doing, as browsers measure it (cumulative layout shift); read by `takeShift`. */
export const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: "layout-shift" });`);

/** The sum since it was last taken. */
export const takeShift = (page: Page): Promise<number> =>
  page.evaluate<number>("[window.shift, window.shift = 0][0]");
