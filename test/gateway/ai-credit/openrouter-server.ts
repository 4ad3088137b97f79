import { randomBytes } from "node:crypto";

/** OpenRouter's keys API on this machine, as its documentation has it, with the troubles that a provider can have. */
export interface OpenRouterServer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keys: Key[];
  /** Requests that came, as "POST /keys". */
  readonly requests: readonly string[];
  keyOf(userId: string): Key | undefined;
  /**
   * `up`; `failing`: every answer is 503; `silent`: nothing is done and no answer comes; `mute`: what is asked is done, and no
   * answer comes.
   */
  be(mode: Mode): void;
  stop(): Promise<void>;
}

type Mode = "up" | "failing" | "silent" | "mute";

interface Key {
  readonly hash: string;
  readonly name: string;
  limit: number | null;
  usage: number;
}

const PROVISIONING_KEY = "sk-or-v1-of-this-test";
const PAGE = 100;
const never = new Promise<Response>(() => undefined);

export function startOpenRouter(): OpenRouterServer {
  const keys: Key[] = [];
  const requests: string[] = [];
  let mode: Mode = "up";

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      requests.push(`${request.method} ${pathname}`);
      if (request.headers.get("authorization") !== `Bearer ${PROVISIONING_KEY}`)
        return Response.json({ error: { code: 401, message: "No auth credentials found" } }, { status: 401 });
      if (mode === "failing") return Response.json({ error: { code: 503 } }, { status: 503 });
      if (mode === "silent") return never;
      const answer = await serve(request, pathname, searchParams);
      return mode === "mute" ? never : answer;
    },
  });

  async function serve(request: Request, pathname: string, query: URLSearchParams): Promise<Response> {
    const [, , , , hash] = pathname.split("/");
    const body = request.method === "GET" ? {} : ((await request.json()) as Partial<Key>);
    if (hash === undefined && request.method === "GET") {
      const offset = Number(query.get("offset") ?? 0);
      return Response.json({
        data: keys
          .toReversed()
          .slice(offset, offset + PAGE)
          .map(shown),
      });
    }
    if (hash === undefined && request.method === "POST") {
      if (typeof body.name !== "string") return Response.json({ error: { code: 400 } }, { status: 400 });
      const key: Key = {
        hash: randomBytes(32).toString("hex"),
        name: body.name,
        limit: body.limit ?? null,
        usage: 0,
      };
      keys.push(key);
      return Response.json({ data: shown(key), key: `sk-or-v1-${key.hash}` }, { status: 201 });
    }
    const key = keys.find((one) => one.hash === hash);
    if (key === undefined) return Response.json({ error: { code: 404 } }, { status: 404 });
    if (request.method === "PATCH" && body.limit !== undefined) key.limit = body.limit;
    return Response.json({ data: shown(key) });
  }

  const url = `http://127.0.0.1:${server.port}/api/v1`;
  return {
    url,
    env: {
      BERTH_AI_PROVIDER: "openrouter",
      BERTH_OPENROUTER_URL: url,
      BERTH_OPENROUTER_PROVISIONING_KEY: PROVISIONING_KEY,
    },
    keys,
    requests,
    keyOf: (userId) => keys.find(({ name }) => name.endsWith(userId)),
    be(next) {
      mode = next;
    },
    stop: () => server.stop(true),
  };
}

const shown = (key: Key) => ({
  ...key,
  label: "sk-or-v1-abc...def",
  disabled: false,
  limit_remaining: key.limit === null ? null : key.limit - key.usage,
  limit_reset: null,
  created_at: "2026-01-31T09:30:00.000Z",
  updated_at: null,
});
