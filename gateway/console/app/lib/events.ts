import { useSyncExternalStore } from "react";
import { api, BerthError, type Schemas } from "./api.ts";
import { queriesOf } from "./event-queries.ts";
import { queryClient } from "./queries.ts";
import { readAgain } from "./read-again.ts";
import { alone, leaveEnded } from "./session.ts";

/** `connecting`: not yet, or not any more; it goes on trying. */
export type Connection = "connecting" | "live";
type Message =
  | { readonly kind: "event"; readonly event: Schemas["EventRecord"] }
  | { readonly kind: "gap" }
  | { readonly kind: "connection"; readonly connection: Connection }
  | { readonly kind: "hello" };

const RETRY_MS = 2_000;
/** A tab that hears nothing for a moment is told how things are by the tab that holds the stream. */
let connection: Connection = "connecting";
let leads = false;
const watchers = new Set<() => void>();

/** Whether changes are shown as they happen. */
export const useConnection = (): Connection =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );

/**
 * Follows the user's events until `signal` is aborted. Of all tabs one holds the stream and tells the others: a user may have ten
 * streams, and has more tabs. When its tab is closed another one takes over.
 */
export function followEvents(signal: AbortSignal): void {
  const tabs = new BroadcastChannel("berth-events");
  tabs.onmessage = (heard) => {
    const data = heard.data as Message;
    if (data.kind !== "hello") return receive(data);
    if (leads) tabs.postMessage({ kind: "connection", connection } satisfies Message);
  };
  tabs.postMessage({ kind: "hello" } satisfies Message);
  const tell = (message: Message) => {
    // A connection that ends says so also to a page that no longer asks.
    if (signal.aborted) return;
    receive(message);
    tabs.postMessage(message);
  };
  signal.addEventListener("abort", () => tabs.close());
  void alone("berth-events", async () => {
    if (signal.aborted) return;
    leads = true;
    await lead(tell, signal);
    leads = false;
  });
}

async function lead(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      let isFirst = true;
      const onState = (state: "open" | "broken") => {
        tell({ kind: "connection", connection: state === "open" ? "live" : "connecting" });
        // What was read before the stream began may have changed in between.
        if (state === "open" && isFirst) tell({ kind: "gap" });
        isFirst = false;
      };
      for await (const { type, data } of api.events(signal, onState))
        tell(type === "gap" ? { kind: "gap" } : { kind: "event", event: JSON.parse(data) });
    } catch (error) {
      if (error instanceof BerthError && error.status === 401) return leaveEnded();
    }
    tell({ kind: "connection", connection: "connecting" });
    await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : RETRY_MS));
  }
}

function receive(message: Message): void {
  if (message.kind === "connection") {
    connection = message.connection;
    for (const watcher of watchers) watcher();
  } else if (message.kind === "gap") void readAgain(queryClient);
  else if (message.kind === "event") {
    for (const queryKey of queriesOf(message.event)) void readAgain(queryClient, queryKey);
  }
}
