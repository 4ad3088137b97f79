import type { ServerWebSocket, WebSocketHandler } from "bun";
import type { ViewerState } from "../display/socket.ts";
import type { SocketState } from "../terminal/server/socket.ts";

/** One server for the WebSockets of a terminal and of the displays beside it. The bounds are the terminal's, which are the wider ones. */
export function eitherSocket(
  terminal: WebSocketHandler<SocketState>,
  display: WebSocketHandler<ViewerState>,
): WebSocketHandler<SocketState | ViewerState> {
  type Socket = ServerWebSocket<SocketState | ViewerState>;
  const isDisplay = (socket: Socket): socket is ServerWebSocket<ViewerState> => "kind" in socket.data;
  return {
    ...(terminal as WebSocketHandler<SocketState | ViewerState>),
    open: (socket) =>
      isDisplay(socket) ? display.open?.(socket) : terminal.open?.(socket as ServerWebSocket<SocketState>),
    message: (socket, frame) =>
      isDisplay(socket)
        ? display.message?.(socket, frame)
        : terminal.message?.(socket as ServerWebSocket<SocketState>, frame),
    drain: (socket) =>
      isDisplay(socket) ? display.drain?.(socket) : terminal.drain?.(socket as ServerWebSocket<SocketState>),
    close: (socket, code, reason) =>
      isDisplay(socket)
        ? display.close?.(socket, code, reason)
        : terminal.close?.(socket as ServerWebSocket<SocketState>, code, reason),
  };
}
