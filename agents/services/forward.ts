import type { Duplex } from "node:stream";
import type { Server, ServerWebSocket, WebSocketHandler } from "bun";
import { Overloaded } from "../exec/concurrency-limiter.ts";
import { connectInside, RelayError } from "../exec/relay.ts";
import type { ExecTarget } from "../exec/target.ts";

/**
 * Connections to ports of a container, each over a WebSocket at `/api/v1/forward/<port>` of its terminal's address: who may open a
 * terminal may connect to whatever listens there, on the loopback interface too.
 *
 * Binary frames are the bytes. Text frames are JSON, in both directions: `{"type":"end"}` ends one direction, and
 * `{"type":"ack","bytes":n}` says how many bytes were taken so far, so that neither side has more than a window of the other's in memory.
 * The host begins with `{"type":"open"}` when it is connected, or closes with the reason why it is not.
 */

export interface ForwardState {
  readonly kind: "forward";
  readonly port: number;
  inside: Duplex | null;
  isClosed: boolean;
  /** Bytes to the client: sent, and taken by it. */
  sent: number;
  acked: number;
  /** Bytes from the client: received, and taken by the program. */
  received: number;
  taken: number;
}

export interface ForwardOptions {
  readonly target: ExecTarget;
  readonly user: () => string | null;
  /** The origin under which a request reached this service. */
  readonly origin: (request: Request) => string;
  report(error: unknown): void;
}

const PATH = /^\/api\/v1\/forward\/(\d{1,5})$/;
const PORT_MAX = 65_535;
/** Fills a connection across a continent, and is little memory for each. */
const WINDOW_BYTES = 1 << 20;
/** A client may have sent another frame before it saw an acknowledgement. */
const UNTAKEN_BYTES_MAX = 4 * WINDOW_BYTES;
const CLOSE = { done: 1000, failed: 4000, refused: 4400, nobody: 4404, busy: 4429 } as const;

type Socket = ServerWebSocket<ForwardState>;
type Said = { readonly type?: unknown; readonly bytes?: unknown };

export const isForwardPath = (path: string): boolean => PATH.test(path);

export function forwardService(options: ForwardOptions) {
  const attach = async (socket: Socket) => {
    const { data } = socket;
    try {
      const inside = await connectInside(options.target, { port: data.port }, { user: options.user() });
      if (data.isClosed) return void inside.destroy();
      data.inside = inside;
      say(socket, { type: "open" });
      passOut(socket, inside);
    } catch (error) {
      const { code, reason } = explain(error, data.port);
      if (code === CLOSE.failed) options.report(error);
      end(socket, code, reason);
    }
  };
  const handler: WebSocketHandler<ForwardState> = {
    open: (socket) => void attach(socket),
    message: (socket, frame) =>
      typeof frame === "string" ? control(socket, frame) : passIn(socket, Buffer.from(frame)),
    close(socket) {
      socket.data.isClosed = true;
      socket.data.inside?.destroy();
    },
  };
  return {
    handler,
    fetch(request: Request, server: Server<ForwardState>): Response | undefined {
      const port = Number(PATH.exec(new URL(request.url).pathname)?.[1]);
      if (!(port >= 1 && port <= PORT_MAX)) return refuse(400, `port: must be a number of 1 to ${PORT_MAX}`);
      if (request.headers.get("origin") !== options.origin(request))
        return refuse(403, "Only this service's own pages and programs may connect.");
      const data = { port, inside: null, isClosed: false, sent: 0, acked: 0, received: 0, taken: 0 };
      if (server.upgrade(request, { data: { kind: "forward", ...data } })) return undefined;
      return refuse(400, "This address takes WebSockets.");
    },
  };
}

/** From the program to the client. */
function passOut(socket: Socket, inside: Duplex): void {
  const { data } = socket;
  inside.on("data", (bytes: Buffer) => {
    data.sent += bytes.length;
    socket.sendBinary(bytes);
    if (data.sent - data.acked >= WINDOW_BYTES) inside.pause();
  });
  inside.on("error", () => end(socket, CLOSE.failed, "the connection broke"));
  inside.on("end", () => {
    say(socket, { type: "end" });
    end(socket, CLOSE.done, "");
  });
}

/** From the client to the program. */
function passIn(socket: Socket, bytes: Buffer): void {
  const { data } = socket;
  data.received += bytes.length;
  if (data.inside === null || data.inside.writableEnded || data.received - data.taken > UNTAKEN_BYTES_MAX) {
    end(socket, CLOSE.refused, "more was sent than may be");
    return;
  }
  data.inside.write(bytes, (error) => {
    if (error) return;
    data.taken += bytes.length;
    say(socket, { type: "ack", bytes: data.taken });
  });
}

function control(socket: Socket, frame: string): void {
  const { data } = socket;
  const said = parse(frame);
  if (said?.type === "end") data.inside?.end();
  else if (said?.type === "ack" && typeof said.bytes === "number") {
    data.acked = said.bytes;
    if (data.sent - data.acked < WINDOW_BYTES) data.inside?.resume();
  } else end(socket, CLOSE.refused, "this is not a message of a forwarded connection");
}

function parse(frame: string): Said | undefined {
  try {
    const said: unknown = JSON.parse(frame);
    return typeof said === "object" && said !== null ? said : undefined;
  } catch {
    return undefined;
  }
}

function explain(error: unknown, port: number): { readonly code: number; readonly reason: string } {
  if (error instanceof Overloaded)
    return { code: CLOSE.busy, reason: "this container has as many connections and transfers as it may" };
  if (error instanceof RelayError && error.reason === "refused")
    return { code: CLOSE.nobody, reason: `nothing listens on port ${port}` };
  if (error instanceof RelayError) return { code: CLOSE.nobody, reason: error.message };
  return { code: CLOSE.failed, reason: "the container cannot be entered now" };
}

const say = (socket: Socket, message: object): void => {
  if (!socket.data.isClosed) socket.sendText(JSON.stringify(message));
};

const end = (socket: Socket, code: number, reason: string): void => {
  if (!socket.data.isClosed) socket.close(code, reason);
};

const refuse = (status: number, message: string): Response =>
  Response.json({ statusCode: status, message }, { status });
