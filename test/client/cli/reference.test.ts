import { expect, test } from "bun:test";
import { makeReference, REFERENCE_FILE } from "./reference.ts";

test("the page of the commands is that of the present ones: `bun run cli-docs` makes it", async () => {
  expect(await Bun.file(REFERENCE_FILE).text()).toBe(makeReference());
});
