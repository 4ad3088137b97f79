import { AsyncLocalStorage } from "node:async_hooks";
import { Value } from "@sinclair/typebox/value";
import { Origin } from "../schemas/origin.ts";

const current = new AsyncLocalStorage<Origin>();

/** Runs `work` for a request: its log lines have the request's id, and its messages carry the origin. */
export const runFor = <T>(origin: Origin, work: () => T): T => current.run(origin, work);

/** The origin of the request that is being handled; undefined outside of requests. */
export const currentOrigin = (): Origin | undefined => current.getStore();

/** Checks an origin from outside. One that is wrong is ignored: it serves logs and traces alone. */
export const readOrigin = (value: unknown): Origin | undefined =>
  Value.Check(Origin, value) ? value : undefined;
