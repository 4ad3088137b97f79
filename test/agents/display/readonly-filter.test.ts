import { expect, test } from "bun:test";
import fc from "fast-check";
import { FilterError, ReadonlyFilter } from "../../../agents/display/readonly-filter.ts";

const bytes = (...parts: (number[] | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

const VERSION = bytes("RFB 003.008\n");
const NO_SECURITY = bytes([1]);
const ALONE = bytes([0]);
const SHARED = bytes([1]);
const PIXEL_FORMAT = bytes([0], Array(19).fill(7));
const ENCODINGS = bytes([2, 0, 0, 2], Array(8).fill(4));
const UPDATE = bytes([3, 1], Array(8).fill(4));
const FENCE = bytes([248, 0, 0, 0, 0, 0, 0, 1, 3], [4, 5, 6]);
const KEY = bytes([4, 1, 0, 0, 0, 0, 0, 3]);
const POINTER = bytes([5, 1, 0, 3, 0, 4]);
const CUT_TEXT = bytes([6, 0, 0, 0, 0, 0, 0, 3], [3, 3, 3]);
/** Its length is negative: the extended form. */
const EXTENDED_CUT_TEXT = bytes([6, 0, 0, 0, 0xff, 0xff, 0xff, 0xfc], [3, 4, 5, 6]);
const SIZE = bytes([251, 0, 0, 9, 0, 9, 1, 0], Array(16).fill(3));
const QEMU_KEY = bytes([255], Array(11).fill(3));

const READING = [PIXEL_FORMAT, ENCODINGS, UPDATE, FENCE];
const CHANGING = [KEY, POINTER, CUT_TEXT, EXTENDED_CUT_TEXT, SIZE, QEMU_KEY];

test("what a viewer asks for passes, and nothing that changes the display, however it is cut into pieces", () => {
  const message = fc.constantFrom(...READING, ...CHANGING);
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.integer({ min: 1, max: 40 })), (messages, sizes) => {
      const filter = new ReadonlyFilter();
      const sent = Buffer.concat([VERSION, NO_SECURITY, SHARED, ...messages]);
      const passed: Buffer[] = [];
      for (let at = 0, turn = 0; at < sent.length; turn += 1) {
        const size = sizes[turn % Math.max(1, sizes.length)] ?? sent.length;
        passed.push(filter.push(sent.subarray(at, at + size)));
        at += size;
      }
      const reading = messages.filter((one) => READING.includes(one));
      expect(Buffer.concat(passed)).toEqual(Buffer.concat([VERSION, NO_SECURITY, SHARED, ...reading]));
    }),
  );
});

test("who watches cannot send the other viewers away", () => {
  const filter = new ReadonlyFilter();
  const passed = filter.push(Buffer.concat([VERSION, NO_SECURITY, ALONE, UPDATE]));
  expect(passed).toEqual(Buffer.concat([VERSION, NO_SECURITY, SHARED, UPDATE]));
});

test("the answer to a VNC server's own password passes", () => {
  const response = bytes([2], Array(16).fill(4), [1]);
  expect(new ReadonlyFilter().push(Buffer.concat([VERSION, response, KEY]))).toEqual(
    Buffer.concat([VERSION, response]),
  );
});

test.each([
  ["a version in which the server chooses", bytes("RFB 003.003\n")],
  ["no version", bytes("GET / HTTP/1.1\r\n")],
  ["a security that hides what follows", Buffer.concat([VERSION, bytes([19])])],
  ["a message that nobody knows", Buffer.concat([VERSION, NO_SECURITY, SHARED, bytes([77])])],
  ["encodings without end", Buffer.concat([VERSION, NO_SECURITY, SHARED, bytes([2, 0, 0xff, 0xff])])],
])("%s ends the connection", (_what, sent) => {
  expect(() => new ReadonlyFilter().push(sent)).toThrow(FilterError);
});
