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

interface Lack {
  readonly name: string;
  readonly unit: string;
  readonly has: number | null;
  readonly wanted: number;
}

/** What a server has less of than was ordered, or does not state. What the order leaves open is not compared. */
export const lacksOf = (server: ServerSpecs, ordered: ServerSpecs): Lack[] =>
  SIZES.flatMap(([name, unit, of]) => {
    const [has = null, wanted] = [of(server), of(ordered)];
    return wanted === undefined || (has !== null && has >= wanted) ? [] : [{ name, unit, has, wanted }];
  });

export function smallerThanOrdered(lacks: readonly Lack[]): DomainError {
  const words = lacks.map(({ unit, has, wanted }) => `${has ?? "an unknown number"} of ${wanted} ${unit}`);
  return new DomainError(
    "SERVER_SMALLER_THAN_ORDERED",
    `The server is smaller than what was paid for: ${words.join(", ")}. Send \`accept_smaller\` to deliver it all the same`,
    { smaller: Object.fromEntries(lacks.map(({ name, has, wanted }) => [name, { has, ordered: wanted }])) },
  );
}
