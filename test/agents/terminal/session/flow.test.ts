import { expect, test } from "bun:test";
import type { ServerMessage } from "../../../../agents/terminal/session/protocol.ts";
import {
  BURST_BYTES,
  BYTES_PER_SECOND,
  Viewer,
  type ViewerSocket,
  WINDOW_BYTES,
} from "../../../../agents/terminal/session/viewer.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** A connection whose network takes what it is told to take. */
class SlowPort implements ViewerSocket {
  buffered = 0;
  readonly sent: (Uint8Array | ServerMessage)[] = [];
  sendBytes(bytes: Uint8Array): void {
    this.sent.push(bytes);
  }
  sendMessage(message: ServerMessage): void {
    this.sent.push(message);
  }
  close(): void {}
  get bytes(): number {
    return this.sent.reduce((sum, one) => sum + (one instanceof Uint8Array ? one.length : 0), 0);
  }
}

const snapshot = Buffer.from("SNAPSHOT");
const source = { size: { cols: 80, rows: 24 }, snapshot: () => snapshot };

test("a client that acknowledges nothing is sent one window, and no more of any flood", () => {
  const port = new SlowPort();
  const client = new Viewer(port, source, { readonly: false, size: source.size });
  client.resync();
  for (let n = 0; n < 1000; n++) client.output(new Uint8Array(100_000));
  expect(port.bytes).toBeLessThanOrEqual(WINDOW_BYTES);
});

test("a client that fell behind gets a snapshot when it has caught up, and live bytes after it", async () => {
  const port = new SlowPort();
  const client = new Viewer(port, source, { readonly: false, size: source.size });
  client.resync();
  for (let n = 0; n < 20; n++) client.output(new Uint8Array(100_000));
  const before = port.sent.length;
  client.acked(port.bytes);
  await until(() => port.sent.length > before);
  expect(port.sent.slice(before)).toEqual([{ type: "snapshot", cols: 80, rows: 24 }, snapshot]);
  client.output(Buffer.from("live"));
  expect(port.sent.at(-1)).toEqual(Buffer.from("live"));
});

test("a client that keeps up gets everything of what comes at once, and a flood at a pace", () => {
  const port = new SlowPort();
  let ms = 0;
  const client = new Viewer(port, source, { readonly: false, size: source.size }, () => ms);
  const flood = (pieces: number) => {
    const before = port.bytes;
    for (let n = 0; n < pieces; n++) {
      client.output(new Uint8Array(1 << 16));
      client.acked(port.bytes);
    }
    return port.bytes - before;
  };
  client.resync();
  const pieces = BURST_BYTES >> 16;
  expect(flood(pieces)).toBe(BURST_BYTES);
  expect(flood(1_000)).toBe(0);
  ms += 1_000;
  const later = flood(1_000);
  expect(later).toBeLessThanOrEqual(2 * snapshot.length + BYTES_PER_SECOND);
  expect(later).toBeGreaterThan(BYTES_PER_SECOND / 2);
  ms += 60_000;
  client.output(Buffer.from("x"));
  expect(flood(pieces - 1)).toBe(BURST_BYTES - (1 << 16));
});

test("a client that is behind by the pace alone, and owes no acknowledgement, is shown the end of a flood", async () => {
  const port = new SlowPort();
  let ms = 0;
  const client = new Viewer(port, source, { readonly: false, size: source.size }, () => ms);
  client.resync();
  for (let n = 0; n < 1_000; n++) {
    client.acked(port.bytes);
    client.output(new Uint8Array(1 << 16));
  }
  const before = port.sent.length;
  ms += 1_000;
  await until(() => port.sent.length > before);
  expect(port.sent.slice(before)).toEqual([{ type: "snapshot", cols: 80, rows: 24 }, snapshot]);
});

test("acknowledgements of what was never sent count for nothing", () => {
  const port = new SlowPort();
  const client = new Viewer(port, source, { readonly: false, size: source.size });
  client.resync();
  client.acked(Number.MAX_SAFE_INTEGER);
  client.acked(-1);
  for (let n = 0; n < 1000; n++) client.output(new Uint8Array(100_000));
  expect(port.bytes).toBeLessThanOrEqual(WINDOW_BYTES);
});

test("a client whose network stands still is sent no more than a window, whatever it acknowledges", () => {
  const port = new SlowPort();
  const client = new Viewer(port, source, { readonly: false, size: source.size });
  client.resync();
  for (let n = 0; n < 1000; n++) {
    client.output(new Uint8Array(100_000));
    client.acked(port.bytes);
    port.buffered = port.bytes;
  }
  expect(port.bytes).toBeLessThanOrEqual(WINDOW_BYTES + 200_000);
});

test("beside a client that stands still, another one sees everything", async () => {
  await using service = startService();
  const stuck = await service.open("terminal_id=7");
  stuck.acks = false;
  const quick = await service.open("terminal_id=7");
  quick.type("seq 1 300000; echo fin''ished\n");
  await quick.shows("300000\nfinished");
  expect(stuck.received).toBeLessThanOrEqual(WINDOW_BYTES);
  stuck.send({ type: "ack", bytes: stuck.received });
  await stuck.shows("300000\nfinished");
});
