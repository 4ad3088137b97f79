import type { Socket } from "bun";
import { until } from "../../harness/until.ts";

/** A request as a target sees it, whose answer is in the test's hands byte by byte. */
export interface SeenRequest {
  /** Without the empty line. */
  readonly head: string;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
  readonly bodyBytes: number;
  readonly unsentBytes: number;
  answer(text: string | Uint8Array): void;
  /** What came after the header so far. */
  sees(text: string): Promise<void>;
  end(): void;
  reset(): void;
  pause(): void;
  resume(): void;
  isOver(): boolean;
  /** Nothing more has been taken since it was last asked. */
  hasStalled(): boolean;
}

export interface RawTarget {
  readonly port: number;
  /** How many have been opened so far. */
  readonly connections: number;
  /** The next request that has come. */
  next(): Promise<SeenRequest>;
  stop(): void;
}

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/;

interface Data {
  number: number;
  received: Buffer[];
  waiting: Buffer[];
  isOver: boolean;
  request: (SeenRequest & { take(bytes: Buffer): void }) | undefined;
}

/** A server that answers nothing by itself. A request's body is whatever comes before the next one. */
export function rawTarget(): RawTarget {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const flush = (socket: Socket<Data>) => {
    const { waiting } = socket.data;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const taken = Math.max(0, socket.write(first));
      if (taken < first.length) {
        waiting[0] = first.subarray(taken);
        return;
      }
      waiting.shift();
    }
  };
  const listener = Bun.listen<Data>({
    hostname: "127.0.0.1",
    port: 0,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        connections += 1;
        socket.data = { number: connections, received: [], waiting: [], isOver: false, request: undefined };
      },
      data(socket, bytes) {
        const { data } = socket;
        // A connection that was kept brings the next one.
        if (data.request !== undefined && !REQUEST_LINE.test(bytes.toString("latin1", 0, 100))) {
          data.request.take(bytes);
          return;
        }
        data.received.push(bytes);
        const all = Buffer.concat(data.received);
        const end = all.indexOf("\r\n\r\n");
        if (end === -1) return;
        data.received = [];
        data.request = requestOf(socket, all.toString("latin1", 0, end), flush);
        data.request.take(all.subarray(end + 4));
        seen.push(data.request);
      },
      drain: flush,
      end(socket) {
        socket.data.isOver = true;
      },
      close(socket) {
        socket.data.isOver = true;
      },
    },
  });
  return {
    port: listener.port,
    get connections() {
      return connections;
    },
    next: () => until(() => seen.shift()),
    stop: () => listener.stop(true),
  };
}

function requestOf(socket: Socket<Data>, head: string, flush: (socket: Socket<Data>) => void) {
  const { data } = socket;
  let body = "";
  let bodyBytes = 0;
  let unsentBefore = -1;
  const unsent = () => data.waiting.reduce((sum, { length }) => sum + length, 0);
  return {
    head,
    connection: data.number,
    get bodyBytes() {
      return bodyBytes;
    },
    get unsentBytes() {
      return unsent();
    },
    take(bytes: Buffer) {
      bodyBytes += bytes.length;
      if (body.length < 10_000) body += bytes.toString("latin1");
    },
    answer(text: string | Uint8Array) {
      data.waiting.push(Buffer.from(text as string, "latin1"));
      flush(socket);
    },
    sees: async (text: string) => {
      await until(() => body.includes(text));
    },
    end: () => void socket.end(),
    reset: () => void socket.terminate(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    isOver: () => data.isOver,
    hasStalled() {
      const before = unsentBefore;
      unsentBefore = unsent();
      return before === unsentBefore && unsentBefore > 0;
    },
  };
}
