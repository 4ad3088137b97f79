import type { Logger } from "pino";
import type { Origin } from "../../schemas/origin.ts";
import { runFor } from "../origin.ts";
import { type Attributes, originWithin, type Tracing } from "./tracing.ts";

/** Does work for the request that led to it: its log lines have the request's id, and it is in the request's trace. */
export async function workFor<T>(
  {
    origin,
    log,
    tracing,
  }: { readonly origin: Origin | undefined; readonly log: Logger; readonly tracing?: Tracing | undefined },
  name: string,
  attributes: Attributes,
  work: () => T | Promise<T>,
): Promise<T> {
  if (origin === undefined) return work();
  const parent = origin.traceparent;
  const span =
    parent === undefined ? undefined : tracing?.start(name, { kind: "consumer", parent, attributes });
  return runFor(originWithin(origin, span) ?? origin, async () => {
    try {
      const result = await work();
      log.debug(attributes, name);
      span?.end();
      return result;
    } catch (error) {
      span?.end({}, error instanceof Error ? error.message : String(error));
      throw error;
    }
  });
}
