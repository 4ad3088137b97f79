import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainPage } from "../../../agents/terminal/server/plain-page.ts";
import { BASE_STYLE } from "../../../agents/web/base-style.ts";

const TOKENS = readFileSync(join(import.meta.dir, "../../../gateway/console/app/styles/tokens.css"), "utf8");

const tokenOf = (style: string, name: string): string | undefined =>
  new RegExp(`--${name}: ([^;]+);`).exec(style)?.[1];

/** The console leads to pages of containers' services: they belong together. */
test.each([
  ["paper", "ground"],
  ["card", "surface"],
  ["ink", "text"],
  ["soft", "muted"],
  ["line", "line"],
  ["line-strong", "line-strong"],
  ["accent", "accent"],
  ["on-accent", "on-accent"],
  ["accent-soft", "accent-soft"],
  ["good", "good"],
  ["warn", "warn"],
  ["bad", "bad"],
  ["bad-soft", "bad-soft"],
  ["code", "sunken"],
  ["radius", "radius"],
])("a service's page has for --%s what the console has for --%s", (name, token) => {
  expect(tokenOf(BASE_STYLE, name)).toBe(tokenOf(TOKENS, token) as string);
});

test("a service's page has the fonts of the console", () => {
  const fonts = (name: string) => tokenOf(TOKENS, name) as string;
  expect(BASE_STYLE).toContain(`font: 16px/1.5 ${fonts("font")};`);
  expect(BASE_STYLE).toContain(`font-family: ${fonts("mono")};`);
});

test("the mark of the pipe has the blue of the console", () => {
  const icon = readFileSync(join(import.meta.dir, "../../../agents/pipe/pages/icon.svg"), "utf8");
  const [light = ""] = /#[0-9a-f]{6}/.exec(tokenOf(TOKENS, "accent") ?? "") ?? [];
  expect(icon).toContain(`fill="${light}"`);
});

test("an error of the terminal has the look of all pages of services", () => {
  const { head } = plainPage("There is nothing here", "");
  expect(head?.("")).toContain(BASE_STYLE);
});
