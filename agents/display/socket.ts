import type { Duplex } from "node:stream";
import type { ServerWebSocket, WebSocketHandler } from "bun";
import { CLOSE } from "./protocol.ts";
import { FilterError, ReadonlyFilter } from "./readonly-filter.ts";

/** A viewer's connection, before and after its display is reached. */
export interface ViewerState {
  readonly kind: "display";
  readonly display: number;
  /** Undefined: it may type. */
  readonly filter: ReadonlyFilter | undefined;
  inside: Duplex | null;
  isClosed: boolean;
}

export interface ViewerEvents {
  /** Reaches the display; the error that it throws is for people. */
  connect(display: number): Promise<Duplex>;
  /** How to say an error. Null: the reason is for the log. */
  explain(error: unknown): { readonly code: number; readonly reason: string };
}

/** Each costs the programs of a connection, and its share of what is drawn. */
export const VIEWERS_MAX = 16;
/** A pasted text of that size is taken whole. */
const FRAME_BYTES_MAX = 4 << 20;
/** What a viewer has not taken yet; past it the display waits for this viewer, and for no other. */
const UNSENT_BYTES_MAX = 4 << 20;
/** What the display has not taken yet; past it the client is no viewer. */
const UNREAD_BYTES_MAX = 16 << 20;
/** A client that neither speaks nor answers pings for so long is gone. */
const IDLE_SECONDS = 120;
/** A close frame has room for so much of a reason. */
const REASON_BYTES_MAX = 120;

type Socket = ServerWebSocket<ViewerState>;

export const newViewer = (display: number, isReadonly: boolean): ViewerState => ({
  kind: "display",
  display,
  filter: isReadonly ? new ReadonlyFilter() : undefined,
  inside: null,
  isClosed: false,
});

/** Passes RFB between WebSockets and displays, a connection to the VNC server for each viewer. */
export function viewerSockets({ connect, explain }: ViewerEvents): {
  readonly handler: WebSocketHandler<ViewerState>;
  close(): void;
} {
  const open = new Set<Socket>();

  const attach = async (socket: Socket) => {
    const { data } = socket;
    try {
      const inside = await connect(data.display);
      if (data.isClosed) {
        inside.destroy();
        return;
      }
      data.inside = inside;
      inside.on("data", (bytes: Buffer) => {
        socket.sendBinary(bytes);
        if (socket.getBufferedAmount() > UNSENT_BYTES_MAX) inside.pause();
      });
      inside.on("error", () => end(socket, CLOSE.ended, "the connection to the display is broken"));
      inside.on("end", () => end(socket, CLOSE.ended, "the display has ended"));
    } catch (error) {
      const { code, reason } = explain(error);
      end(socket, code, reason);
    }
  };

  return {
    handler: {
      maxPayloadLength: FRAME_BYTES_MAX,
      idleTimeout: IDLE_SECONDS,
      sendPings: true,
      perMessageDeflate: false,

      open(socket) {
        if (open.size >= VIEWERS_MAX) {
          end(socket, CLOSE.crowded, `${VIEWERS_MAX} look at displays of this container already`);
          return;
        }
        open.add(socket);
        void attach(socket);
      },

      message(socket, frame) {
        const { inside, filter } = socket.data;
        // The server begins; and RFB is bytes.
        if (inside === null || typeof frame === "string") {
          end(socket, CLOSE.refused, "this is not RFB");
          return;
        }
        try {
          const bytes = filter === undefined ? Buffer.from(frame) : filter.push(frame);
          if (bytes.length > 0) inside.write(bytes);
          if (inside.writableLength > UNREAD_BYTES_MAX) end(socket, CLOSE.refused, "too much at once");
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
          end(socket, CLOSE.refused, error.message);
        }
      },

      drain(socket) {
        socket.data.inside?.resume();
      },

      close(socket) {
        socket.data.isClosed = true;
        socket.data.inside?.destroy();
        open.delete(socket);
      },
    },
    close() {
      for (const socket of open) end(socket, CLOSE.ended, "the server is ending");
    },
  };
}

function end(socket: Socket, code: number, reason: string): void {
  if (socket.data.isClosed) return;
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, REASON_BYTES_MAX)
      .toString()
      .replace(/\uFFFD+$/, ""),
  );
}
