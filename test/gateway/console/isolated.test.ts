import { expect, test } from "bun:test";
import { isolated } from "../../../gateway/console/app/lib/isolated.ts";

/** Names from right to left within sentences of the console. Here ‹ and › stand for the two characters that isolate. */

const shown = (text: string) => isolated(text).replaceAll("\u2068", "‹").replaceAll("\u2069", "›");

test.each([
  ["web is created", "web is created"],
  ["متجر is created", "‹متجر› is created"],
  ["Delete the project متجر 2?", "Delete the project ‹متجر 2›?"],
  ["node-1 (pool פרויקט): being set up", "node-1 (pool ‹פרויקט›): being set up"],
  ["You have left פרויקט (3)", "You have left ‹פרויקט (3)›"],
  ["(see (פרויקט [3]))", "(see (‹פרויקט [3]›))"],
  ["קבצים of متجر were refused", "‹קבצים› of ‹متجر› were refused"],
  ["קבצים: 3 of 4", "‹קבצים›: 3 of 4"],
  ["‏שלום‏ and \u{1e900}\u{1e901}", "‏‹שלום›‏ and ‹\u{1e900}\u{1e901}›"],
])("%p", (text, expected) => {
  expect(shown(text)).toBe(expected);
});
