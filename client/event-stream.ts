/** One event of a stream (Server-Sent Events). */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

const RETRY_MS = 1_000;

/**
 * Events as they happen. After a broken connection it goes on behind the last one; it ends when `signal` is aborted.
 *
 * @param open opens the stream behind an event's id; null: from now on
 * @param onState told when the connection is made, and when it breaks
 * @throws whatever `open` throws the first time: who may not read a stream is told at once
 */
export async function* followStream(
  open: (lastEventId: string | null, signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  onState: (state: "open" | "broken") => void = () => {},
): AsyncGenerator<StreamedEvent, void> {
  let last: string | null = null;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      const response = await open(last, signal);
      isFirst = false;
      onState("open");
      for await (const event of eventsOf(response)) {
        if (event.id !== "") last = event.id;
        yield event;
        // Others that came with it are not wanted any more.
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst) throw error;
    }
    onState("broken");
    await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_MS));
  }
}

async function* eventsOf(response: Response): AsyncGenerator<StreamedEvent, void> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== undefined) yield event;
    }
  }
}

/** Undefined for comments, which keep the connection open. */
function parse(block: string): StreamedEvent | undefined {
  const fields: Record<string, string[]> = {};
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name !== "") fields[name] = [...(fields[name] ?? []), value];
  }
  const { id = [""], event = ["message"], data } = fields;
  return data && { id: id[0] ?? "", type: event[0] ?? "", data: data.join("\n") };
}
