import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { assertIcon } from "../../../../actors/hosting/image/png.ts";
import { chunk, png } from "../../../gateway/routes/hosting/image/catalogue.ts";

const SIGNATURE = png(1, 1).subarray(0, 8);
const END = chunk("IEND");

/** Fields of an IHDR chunk; by default one pixel of grey. */
function header(fields: Partial<Record<"width" | "height" | "depth" | "colour" | "interlace", number>> = {}) {
  const { width = 1, height = 1, depth = 8, colour = 0, interlace = 0 } = fields;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return chunk("IHDR", data);
}
const pixels = (bytes: number) => chunk("IDAT", deflateSync(Buffer.alloc(bytes)));
const picture = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);

const verdict = (bytes: Uint8Array) => {
  try {
    assertIcon(bytes);
    return "good";
  } catch (error) {
    return (error as { message: string }).message;
  }
};

describe("an icon", () => {
  test.each([
    ["of one pixel", png(1, 1)],
    ["of the largest size", png(512, 512)],
    ["of one bit a pixel", picture(header({ width: 9, depth: 1 }), pixels(3), END)],
    ["of sixteen bits a sample, with alpha", picture(header({ depth: 16, colour: 6 }), pixels(9), END)],
    ["with a palette", picture(header({ colour: 3 }), chunk("PLTE", Buffer.alloc(3)), pixels(2), END)],
    ["that is interlaced", picture(header({ width: 8, height: 8, interlace: 1 }), pixels(64 + 15), END)],
    ["with words of its maker", picture(header(), chunk("tEXt", Buffer.from("a\0b")), pixels(2), END)],
  ])("%s is one", (_what, bytes) => {
    expect(verdict(bytes)).toBe("good");
  });

  test("of ours is one, the placeholder and those of the demo", () => {
    const root = join(import.meta.dir, "../../../..");
    const seeds = join(root, "scripts/seed-icons");
    const files = readdirSync(seeds).map((name) => join(seeds, name));
    for (const file of [join(root, "gateway/routes/hosting/placeholder-icon.png"), ...files])
      expect([file, verdict(readFileSync(file))]).toEqual([file, "good"]);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ["a signature alone", SIGNATURE],
    ["a PNG that was cut off", png(4, 4).subarray(0, -1)],
    ["a PNG with something behind it", Buffer.concat([png(1, 1), Buffer.from("<script>")])],
    ["a PNG of which a byte changed", png(4, 4).fill(1, 50, 51)],
    ["a PNG without a header", picture(pixels(2), END)],
    ["a PNG with two headers", picture(header(), header(), pixels(2), END)],
    ["a PNG without pixels", picture(header(), END)],
    ["a PNG with too few pixels", picture(header(), pixels(1), END)],
    ["a PNG with more than its pixels", picture(header(), pixels(3), END)],
    ["a PNG that would unpack to a gigabyte", picture(header(), pixels(100_000_000), END)],
    ["a PNG of no width", picture(header({ width: 0 }), pixels(1), END)],
    ["a PNG that is too wide", picture(header({ width: 513 }), pixels(514), END)],
    ["a PNG of a colour type that there is not", picture(header({ colour: 5 }), pixels(2), END)],
    ["a PNG of a depth that there is not", picture(header({ depth: 3 }), pixels(2), END)],
    ["a PNG that lacks its palette", picture(header({ colour: 3 }), pixels(2), END)],
    [
      "a PNG whose chunk is longer than it",
      Buffer.concat([SIGNATURE, Buffer.from([0x7f, 0xff, 0xff, 0xff])]),
    ],
    [
      "a PNG of more bytes than an icon has",
      picture(header(), chunk("tEXt", Buffer.alloc(256 * 1024)), pixels(2), END),
    ],
  ])("is not %s", (_what, bytes) => {
    expect(verdict(bytes)).toBe("Invalid icon format");
  });
});
