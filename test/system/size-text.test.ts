import { expect, test } from "bun:test";
import { sizeText } from "../../system/size-text.ts";

test.each([
  [0, "0 bytes"],
  [255, "255 bytes"],
  [1_024, "1 KiB"],
  [65_536, "64 KiB"],
  [1_000_000_000, "953.6 MiB"],
  [10_737_418_239, "9.9 GiB"],
  [10_737_418_240, "10 GiB"],
  [2 ** 62, "4096 PiB"],
])("%d bytes are said as %s, and never as more than they are", (bytes, said) => {
  expect(sizeText(bytes)).toBe(said);
});
