import type { Subscription } from "nats";
import type { NatsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { runningRequestSubject } from "../../schemas/subjects.ts";

/** Requests under clients' keys that are in progress: at this gateway, and at the others. */
export interface RunningRequests {
  /** Notes a request. @returns what ends it */
  begin(id: string): () => void;
  /** Waits until no request of this id is in progress anywhere. The caller's own has ended. */
  othersEnd(id: string): Promise<void>;
}

/** Longer than a change takes. A gateway that dies meanwhile does not reply. */
const OTHERS_MS_MAX = 5_000;
/** Each time the first request that ends replies; so many gateways have one of the same id. */
const OTHERS_MAX = 4;

interface Running {
  count: number;
  readonly ended: PromiseWithResolvers<void>;
  readonly subscription: Subscription;
}

/**
 * While a request is in progress its gateway listens to a subject of its id, and replies there when it has ended. So a gateway learns at once
 * from NATS that no other one has it, and asks only where it would refuse a request that may be a repeated one.
 */
export function runningRequests({
  connection,
  connected,
}: Pick<NatsBus, "connection" | "connected">): RunningRequests {
  const running = new Map<string, Running>();

  function start(id: string): Running {
    const ended = Promise.withResolvers<void>();
    const subscription = connection.subscribe(runningRequestSubject(id), {
      callback(error, message) {
        // On a connection that is closed there is nobody who asks.
        if (error === null) ended.promise.then(() => message.respond()).catch(() => {});
      },
    });
    const started = { count: 0, ended, subscription };
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
        mine.ended.resolve();
        // Who asked just before gets a reply; a connection that is closed has nobody who asks.
        mine.subscription.drain().catch(() => {});
      };
    },
    async othersEnd(id) {
      await running.get(id)?.ended.promise;
      for (let n = 0; n < OTHERS_MAX && connected(); n++) {
        const asked = connection.request(runningRequestSubject(id), "", { timeout: OTHERS_MS_MAX });
        const hasReplied = await asked.then(
          () => true,
          () => false,
        );
        if (!hasReplied) return;
      }
    },
  };
}
