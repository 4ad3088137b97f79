import type { Bus } from "../../actors/runtime/ports.ts";
import { runningRequestSubject } from "../../schemas/subjects.ts";

/** Requests under clients' keys that are in progress: at this gateway, and at the others. */
export interface RunningRequests {
  /** Notes a request. @returns what ends it */
  begin(id: string): () => void;
  /** Waits until no request of this id is in progress anywhere. The caller's own has ended. */
  othersEnd(id: string): Promise<void>;
}

/** Asks for the reply of whoever listens to a subject; rejects at once when nobody does. */
type Ask = (subject: string, timeoutMs: number) => Promise<unknown>;

/** Longer than a change takes. A gateway that dies meanwhile does not reply. */
const OTHERS_MS_MAX = 5_000;
/** Each time the first request that ends replies; so many gateways have one of the same id. */
const OTHERS_MAX = 4;

interface Running {
  count: number;
  readonly ended: PromiseWithResolvers<void>;
  readonly unsubscribe: () => void;
}

/**
 * While a request is in progress its gateway listens to a subject of its id, and replies there when it has ended. So a gateway learns at once
 * from NATS that no other one has it, and asks only where it would refuse a request that may be a repeated one.
 */
export function runningRequests(bus: Pick<Bus, "subscribe" | "publish" | "connected">, ask: Ask): RunningRequests {
  const running = new Map<string, Running>();

  function start(id: string): Running {
    const ended = Promise.withResolvers<void>();
    const unsubscribe = bus.subscribe(runningRequestSubject(id), (_text, replyTo) => {
      if (replyTo !== "") void ended.promise.then(() => bus.publish(replyTo, ""));
    });
    const started = { count: 0, ended, unsubscribe };
    running.set(id, started);
    return started;
  }

  return {
    begin(id) {
      const mine = running.get(id) ?? start(id);
      mine.count += 1;
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        mine.count -= 1;
        if (mine.count > 0) return;
        running.delete(id);
        mine.unsubscribe();
        mine.ended.resolve();
      };
    },
    async othersEnd(id) {
      await running.get(id)?.ended.promise;
      for (let n = 0; n < OTHERS_MAX && bus.connected(); n++) {
        const hasReplied = await ask(runningRequestSubject(id), OTHERS_MS_MAX).then(
          () => true,
          () => false,
        );
        if (!hasReplied) return;
      }
    },
  };
}
