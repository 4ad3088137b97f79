import { DomainError } from "../../../schemas/errors.ts";
import type { ServerSpecs } from "../../../schemas/market/server.ts";

/** What an order is compared by. */
const SIZES: readonly (readonly [
  name: string,
  unit: string,
  of: (specs: ServerSpecs) => number | undefined,
])[] = [
  ["cpu_cores", "cores", ({ cpu_cores }) => cpu_cores],
  ["ram_gb", "GiB memory", ({ ram_gb }) => ram_gb],
  ["disks_gb", "GB disk", ({ disks }) => disks?.reduce((sum, { size_gb }) => sum + size_gb, 0)],
];

/**
 * Refuses a server that has less than was ordered, or does not state that it has as much. What the order leaves open is not compared.
 * @throws SERVER_SMALLER_THAN_ORDERED with each size that is too small
 */
export function assertAsLargeAsOrdered(server: ServerSpecs, ordered: ServerSpecs): void {
  const smaller = SIZES.flatMap(([name, unit, of]) => {
    const [has = null, wanted] = [of(server), of(ordered)];
    return wanted === undefined || (has !== null && has >= wanted) ? [] : [{ name, unit, has, wanted }];
  });
  if (smaller.length === 0) return;
  const words = smaller.map(({ unit, has, wanted }) => `${has ?? "an unknown number"} of ${wanted} ${unit}`);
  throw new DomainError(
    "SERVER_SMALLER_THAN_ORDERED",
    `The server is smaller than what was paid for: ${words.join(", ")}. Send \`accept_smaller\` to deliver it all the same`,
    { smaller: Object.fromEntries(smaller.map(({ name, has, wanted }) => [name, { has, ordered: wanted }])) },
  );
}
