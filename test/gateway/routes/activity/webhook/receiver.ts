import { Webhook } from "standardwebhooks";

/** A request that has arrived, with what it carried. */
export interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every type
  readonly payload: any;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on. */
  answer: (request: Received) => Response | Promise<Response>;
  stop(): Promise<void>;
}

/** Somebody's server for webhooks. Answers 200 until it is told otherwise. */
export function startReceiver(port = 0): Receiver {
  const received: Received[] = [];
  const receiver: Receiver = {
    url: "",
    received,
    answer: () => new Response("thanks"),
    stop: () => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    async fetch(request) {
      const text = await request.text();
      const one = {
        id: request.headers.get("webhook-id") ?? "",
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        text,
        payload: text === "" ? null : JSON.parse(text),
        at: Date.now(),
      };
      received.push(one);
      return receiver.answer(one);
    },
  });
  return Object.assign(receiver, { url: `http://127.0.0.1:${server.port}` });
}

/** Whether a request is signed with a secret, by the library that receivers use. */
export function isSignedWith(secret: string, { text, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
}
