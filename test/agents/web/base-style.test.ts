import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_STYLE } from "../../../agents/web/base-style.ts";

const TOKENS = readFileSync(join(import.meta.dir, "../../../gateway/console/app/styles/tokens.css"), "utf8");

const colourOf = (style: string, name: string): string | undefined =>
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
  expect(colourOf(BASE_STYLE, name)).toBe(colourOf(TOKENS, token) as string);
});
