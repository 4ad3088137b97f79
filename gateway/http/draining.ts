import { Elysia } from "elysia";

/**
 * Asks clients and proxies to open another connection for their next request (RFC 9112 §9.6) while this process is about to stop: a
 * request on a connection that is being closed gets no response.
 */
export const drainingConnections = (isDraining: () => boolean) =>
  new Elysia({ name: "draining-connections" }).onRequest(({ set }) => {
    if (isDraining()) set.headers.connection = "close";
  });
