import type { Locator, Page } from "playwright-core";

/** What a person does with a page: the same way by mouse and by keyboard. */
export interface Hands {
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an entry of a list by its text. */
  choose(target: Locator, label: string): Promise<void>;
  /** Goes to a page of the navigation by its title. */
  goTo(title: string): Promise<void>;
}

export const byMouse = (page: Page): Hands => ({
  press: (target) => target.click(),
  async write(target, text) {
    await target.click();
    await target.fill(text);
  },
  choose: async (target, label) => void (await target.selectOption({ label })),
  goTo: (title) =>
    page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: new RegExp(`^${title}`) })
      .click(),
});

/** Tab and Escape belong to the program in a terminal; Control+F6 leads out of it. */
const isInTerminal = (page: Page) => page.evaluate<boolean>('document.activeElement?.tagName === "IFRAME"');

/** More than any page has to pass. */
const TABS_MAX = 200;

export function byKeyboard(page: Page): Hands {
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element.contains(element.ownerDocument.activeElement));
  const reach = async (target: Locator) => {
    await target.waitFor();
    const isFramed = await target.evaluate((element) => {
      const { defaultView } = element.ownerDocument;
      return defaultView?.parent !== defaultView;
    });
    let key = "Tab";
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await hasFocus(target)) return;
      if (key === "Tab" && !isFramed && (await isInTerminal(page))) {
        // To its toolbar, and backwards out of it: forwards is the terminal again.
        await page.keyboard.press("Control+F6");
        key = "Shift+Tab";
      }
      await page.keyboard.press(key);
    }
    throw new Error(`${target} is not reached by ${TABS_MAX} tabs`);
  };
  return {
    async press(target) {
      await reach(target);
      await page.keyboard.press("Enter");
    },
    async write(target, text) {
      await reach(target);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    async choose(target, label) {
      await reach(target);
      const chosen = () =>
        target.evaluate(
          (element) =>
            (element as unknown as { selectedOptions: { text: string }[] }).selectedOptions[0]?.text,
        );
      // From the first entry on, as far as the wanted one.
      await page.keyboard.press("Home");
      for (let steps = 0; (await chosen()) !== label; steps++) {
        if (steps > TABS_MAX) throw new Error(`${label} is not in the list`);
        await page.keyboard.press("ArrowDown");
      }
    },
    async goTo(title) {
      await page.keyboard.press("Control+k");
      const found = page.getByRole("option", { name: new RegExp(`^${title}`) }).first();
      await page.getByRole("dialog", { name: "Search" }).waitFor();
      await page.keyboard.type(title);
      await found.waitFor();
      while ((await found.getAttribute("data-focused")) === null) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
    },
  };
}
