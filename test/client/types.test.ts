import { expect, test } from "bun:test";
import { makeClientTypes, TYPES_FILE } from "./types.ts";

test("the client's types are those of the present API: `bun run client-types` makes them", async () => {
  expect((await makeClientTypes()) === (await Bun.file(TYPES_FILE).text())).toBe(true);
});
