import { until } from "../../harness/until.ts";

export interface Frame {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Follows a stream and keeps what it says. */
export async function follow(url: string, headers: Record<string, string> = {}) {
  const over = new AbortController();
  const response = await fetch(url, { headers, signal: over.signal });
  let text = "";
  let ended: "cleanly" | "broken" | null = null;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  })().then(
    () => {
      ended = "cleanly";
    },
    () => {
      ended = "broken";
    },
  );
  const frames = () => text.split("\n\n").slice(0, -1).flatMap(parse);
  return {
    response,
    frames,
    text: () => text,
    ended: () => ended,
    /** Waits for so many events, and returns them. */
    events: (count: number) => until(() => (frames().length >= count ? frames() : null)),
    async [Symbol.asyncDispose]() {
      over.abort();
      await reading;
    },
  };
}

function parse(frame: string): Frame[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
  const data = field("data");
  if (data === undefined) return [];
  return [{ event: field("event") ?? "", id: field("id") ?? "", data: JSON.parse(data) }];
}
