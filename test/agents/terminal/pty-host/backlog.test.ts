import { expect, test } from "bun:test";
import fc from "fast-check";
import { Backlog } from "../../../../agents/terminal/pty-host/backlog.ts";

function readAll(backlog: Backlog, from: number): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = from; at < backlog.end; ) {
    const part = backlog.read(at, 1_000);
    expect(part.length).toBeGreaterThan(0);
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

test("whatever comes in whatever pieces, what is kept is the end of it, byte by byte, and within the bound", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.uint8Array({ minLength: 20_000, maxLength: 40_000 }),
  );
  const act = fc.oneof({ weight: 4, arbitrary: piece }, fc.nat({ max: 100_000 }));
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), fc.integer({ min: 1, max: 90_000 }), (acts, most) => {
      const backlog = new Backlog();
      let all = Buffer.alloc(0);
      let dropped = 0;
      for (const one of acts) {
        if (typeof one === "number") {
          backlog.drop(one);
          dropped = Math.max(dropped, Math.min(one, all.length));
          continue;
        }
        backlog.push(one, most);
        all = Buffer.concat([all, one]);
      }
      expect(backlog.end).toBe(all.length);
      expect(backlog.start).toBeGreaterThanOrEqual(dropped);
      expect(backlog.end - backlog.start).toBeLessThanOrEqual(Math.max(most, 0));
      expect(readAll(backlog, backlog.start).equals(all.subarray(backlog.start))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
