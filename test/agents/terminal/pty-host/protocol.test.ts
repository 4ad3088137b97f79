import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  decodeOffset,
  encodeOffset,
  FrameReader,
  frame,
  ProtocolError,
} from "../../../../agents/terminal/pty-host/protocol.ts";

const STREAMED = 3;

test("frames come out as they went in, however the socket cuts them", () => {
  const frames = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.uint8Array({ maxLength: 300 })));
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (sent, cuts) => {
      const got: [number, Buffer][] = [];
      const reader = new FrameReader((type, payload) => {
        const last = got.at(-1);
        // What is streamed comes in parts, of which only the order counts.
        if (type === STREAMED && last?.[0] === STREAMED) last[1] = Buffer.concat([last[1], payload]);
        else got.push([type, payload]);
      }, STREAMED);
      const bytes = Buffer.concat(sent.map(([type, payload]) => frame(type, payload)));
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const size = cuts[n % cuts.length] ?? 1;
        reader.push(Buffer.from(bytes.subarray(at, at + size)));
        at += size;
      }
      const expected: [number, Buffer][] = [];
      for (const [type, payload] of sent) {
        const last = expected.at(-1);
        if (type === STREAMED && last?.[0] === STREAMED) last[1] = Buffer.concat([last[1], payload]);
        else expected.push([type, Buffer.from(payload)]);
      }
      expect(got.map(([type, payload]) => [type, payload.toString("hex")])).toEqual(
        expected.map(([type, payload]) => [type, payload.toString("hex")]),
      );
    }),
    { numRuns: 200 },
  );
});

test("a frame that nobody would send is refused before it is taken in", () => {
  const reader = new FrameReader(() => undefined);
  expect(() => reader.push(Buffer.from([0xff, 0xff, 0xff, 0xff, 1]))).toThrow(ProtocolError);
});

test("a place is exact far beyond what any program writes, and nothing else is one", () => {
  expect(decodeOffset(encodeOffset(2 ** 52 + 1))).toBe(2 ** 52 + 1);
  for (const wrong of [-1, 0.5, Number.NaN, Infinity])
    expect(() => decodeOffset(encodeOffset(wrong))).toThrow(ProtocolError);
  expect(() => decodeOffset(Buffer.alloc(3))).toThrow(ProtocolError);
});
