import type { ServerWebSocket, WebSocketHandler } from "bun";
import type { ViewerState } from "../display/socket.ts";
import type { SocketState } from "../terminal/server/socket.ts";
import type { ForwardState } from "./forward.ts";

/** What the sockets on the address of a terminal are of. */
export type TerminalSide = SocketState | ViewerState | ForwardState;

interface Handlers {
  readonly terminal: WebSocketHandler<SocketState>;
  readonly display: WebSocketHandler<ViewerState>;
  readonly forward: WebSocketHandler<ForwardState>;
}

/** One server for the WebSockets of a terminal, and of the displays and forwarded ports beside it. The bounds are the terminal's, which are the wider ones. */
export function socketsBeside(handlers: Handlers): WebSocketHandler<TerminalSide> {
  type Socket = ServerWebSocket<TerminalSide>;
  const of = ({ data }: Socket) =>
    handlers["kind" in data ? data.kind : "terminal"] as unknown as WebSocketHandler<TerminalSide>;
  return {
    ...(handlers.terminal as unknown as WebSocketHandler<TerminalSide>),
    open: (socket) => of(socket).open?.(socket),
    message: (socket, frame) => of(socket).message?.(socket, frame as never),
    drain: (socket) => of(socket).drain?.(socket),
    close: (socket, code, reason) => of(socket).close?.(socket, code, reason),
  };
}
