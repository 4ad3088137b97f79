import createFetchClient from "openapi-fetch";
import type { LogLine, paths } from "./api.ts";
import { errorOf } from "./errors.ts";
import { followStream, type StreamedEvent } from "./event-stream.ts";
import { type RetryOptions, retryingFetch } from "./retrying-fetch.ts";

export type * from "./api.ts";
export {
  BerthError,
  type ErrorCode,
  type SecondFactorChallenge,
  secondFactorChallengeOf,
} from "./errors.ts";
export type { StreamedEvent } from "./event-stream.ts";
export { items } from "./pages.ts";
export { download, type Progress, type TransferOptions, upload } from "./transfers.ts";

export interface ClientOptions extends RetryOptions {
  /** Where the gateway is, such as `https://berth.example`. */
  readonly url: string;
  /** An access token or an API token; a function is asked at each request. */
  readonly token?: string | (() => string | Promise<string>);
}

/**
 * A client of the API: openapi-fetch's methods by path, which retry, and throw `BerthError` where the API refuses.
 *
 *     const berth = createClient({ url: "https://berth.example", token });
 *     const { data } = await berth.GET("/api/v1/containers");
 */
export function createClient({ url, token, ...retries }: ClientOptions) {
  const client = createFetchClient<paths>({ baseUrl: url.replace(/\/$/, ""), fetch: retryingFetch(retries) });
  const credential = async () => (typeof token === "function" ? token() : token);
  client.use({
    async onRequest({ request }) {
      const sent = await credential();
      if (sent !== undefined) request.headers.set("authorization", `Bearer ${sent}`);
      return request;
    },
    async onResponse({ response }) {
      if (response.ok) return undefined;
      throw errorOf(response, await response.json().catch(() => undefined));
    },
  });
  const stream = (path: string, signal: AbortSignal, onState?: OnStreamState) =>
    followStream(
      async (last, stop) => {
        const sent = await credential();
        const response = await fetch(new URL(path, url), {
          headers: {
            accept: "text/event-stream",
            ...(sent === undefined ? {} : { authorization: `Bearer ${sent}` }),
            ...(last === null ? {} : { "last-event-id": last }),
          },
          signal: stop,
        });
        if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
        return response;
      },
      signal,
      onState,
    );
  return Object.assign(client, {
    /**
     * Your events as they happen, also across broken connections, until `signal` is aborted. `onState` is told when the connection is
     * made, and when it breaks.
     */
    events: (signal: AbortSignal, onState?: OnStreamState): AsyncGenerator<StreamedEvent, void> =>
      stream("/api/v1/events/stream", signal, onState),
    /**
     * Lines of a container's log, also across broken connections, until `signal` is aborted: the newest `tail` lines, then each new one.
     * Where lines were lost, null stands in their place.
     */
    async *logs(
      containerId: string,
      signal: AbortSignal,
      filter: LogFilter = {},
    ): AsyncGenerator<LogLine | null, void> {
      const query = new URLSearchParams({ ...filter, follow: "true" });
      const path = `/api/v1/containers/${encodeURIComponent(containerId)}/logs?${query}`;
      for await (const { type, data } of stream(path, signal)) {
        if (type === "line") yield JSON.parse(data) as LogLine;
        if (type === "dropped") yield null;
      }
    },
  });
}

type OnStreamState = (state: "open" | "broken") => void;

/** Which lines of a log: values as the API takes them. */
export interface LogFilter {
  readonly tail?: string;
  readonly since?: string;
  readonly stream?: "stdout" | "stderr";
}
