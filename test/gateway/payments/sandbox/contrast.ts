import type { Page } from "playwright-core";

interface Colours {
  readonly text: string;
  /** Backgrounds from the element outwards. */
  readonly grounds: readonly string[];
  readonly opacity: number;
}

/** The contrast of an element's text against what is behind it, by WCAG 2: 4.5 is what small text needs. */
export async function contrastOf(page: Page, selector: string): Promise<number> {
  const { text, grounds, opacity }: Colours = await page.evaluate(`(() => {
    const element = [...document.querySelectorAll(${JSON.stringify(selector)})].at(-1);
    const grounds = [];
    for (let one = element; one !== null; one = one.parentElement) grounds.push(getComputedStyle(one).backgroundColor);
    const { color, opacity } = getComputedStyle(element);
    return { text: color, grounds, opacity: Number(opacity) };
  })()`);
  const ground = grounds.map(parts).find(([, , , alpha = 1]) => alpha > 0) ?? [255, 255, 255];
  const shown = parts(text).map((part, i) => part * opacity + (ground[i] ?? 0) * (1 - opacity));
  const [dark = 0, light = 0] = [luminance(shown), luminance(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const parts = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);

function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const linear = (part: number) =>
    part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
