import { expect, test } from "bun:test";
import type { AnyDefinition } from "../../../actors/runtime/definition.ts";
import type { Activation, CachedReceipt } from "../../../actors/runtime/host/activation.ts";
import { ActivationCache } from "../../../actors/runtime/host/activation-cache.ts";

/** Receipts that a lane keeps in memory: those of the actors that were used last. */

const ACTORS = 20_000;
const KEPT_MAX = 16_384;
const definition = { kind: "counter" } as AnyDefinition;
const receipt = {} as CachedReceipt;

/** Each actor commits two operations, one after the other. */
function fill(cache: ActivationCache): Activation[] {
  return Array.from({ length: ACTORS }, (_, at) => {
    const activation = cache.getOrCreate(definition, `actor-${at}`, 0, 1);
    for (const key of ["first", "second"]) activation.cacheReceipt(key, receipt);
    cache.receiptsCommitted(2);
    return activation;
  });
}

const keptOf = (activations: readonly Activation[]): number =>
  activations.reduce((sum, { receipts }) => sum + receipts.size, 0);

test("what many actors keep together is bounded, and who was used last loses nothing", () => {
  const cache = new ActivationCache();
  const activations = fill(cache);
  // Between two looks a few thousand more may come.
  expect(keptOf(activations)).toBeLessThan(KEPT_MAX + 4_096);
  expect(keptOf(activations)).toBeGreaterThan(KEPT_MAX / 2);
  expect(activations.at(-1)?.receipts.size).toBe(2);
  expect(activations[0]?.receipts.size).toBe(0);
  expect(cache.size).toBe(ACTORS);
});

test("an actor with something to do keeps its receipts: a message may be about to look for one", () => {
  const cache = new ActivationCache();
  const busy = cache.getOrCreate(definition, "busy", 0, 1);
  busy.cacheReceipt("first", receipt);
  busy.mailbox.push({} as never);
  fill(cache);
  expect(busy.receipts.size).toBe(1);
});
