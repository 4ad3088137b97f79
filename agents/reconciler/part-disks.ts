import { STOPPED } from "./disk-share.ts";

/** A container of a part of the host, with what it takes of the disk. */
export interface PartMember {
  readonly id: string;
  readonly partId: string;
  /** What all containers of the part may take together. */
  readonly bytesMax: number;
  /** As it was measured last. */
  readonly bytes: number;
  /** Whether it runs, and may be stopped. */
  readonly isRunning: boolean;
}

/** A container that has so little more than before is not stopped for it: programs write logs. */
const GROWTH_BYTES_MAX = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/**
 * The disk of parts of the host, as the sum of what their containers take. When a part is full its largest container is stopped. The others run
 * on with what they have then, and are stopped if they take more, so that one that fills the disk does not end all of them.
 */
export class PartDisks {
  /** Of full parts: what each container may take until there is room again. */
  readonly #allowed = new Map<string, Map<string, number>>();

  /**
   * Why containers must be stopped, by their ids.
   *
   * @param members those of all parts
   * @param shares what storage shares take of each part
   */
  excess(members: readonly PartMember[], shares: ReadonlyMap<string, number>): Map<string, string> {
    const reasons = new Map<string, string>();
    const parts = Map.groupBy(members, ({ partId }) => partId);
    for (const partId of this.#allowed.keys()) if (!parts.has(partId)) this.#allowed.delete(partId);
    for (const [partId, all] of parts)
      for (const [id, reason] of this.#ofPart(partId, all, shares.get(partId) ?? 0)) reasons.set(id, reason);
    return reasons;
  }

  #ofPart(
    partId: string,
    members: readonly PartMember[],
    shareBytes: number,
  ): [id: string, reason: string][] {
    const bytesMax = Math.min(...members.map((member) => member.bytesMax));
    const bytes = members.reduce((sum, member) => sum + member.bytes, shareBytes);
    if (bytes <= bytesMax) {
      this.#allowed.delete(partId);
      return [];
    }
    const running = members.filter(({ isRunning }) => isRunning);
    const known = this.#allowed.get(partId);
    const allowed = known ?? new Map(members.map(({ id, bytes }) => [id, bytes + GROWTH_BYTES_MAX]));
    this.#allowed.set(partId, allowed);
    const [largest] = running.toSorted((one, other) => other.bytes - one.bytes);
    const stopped =
      known === undefined && largest !== undefined
        ? [largest]
        : running.filter((member) => member.bytes > (allowed.get(member.id) ?? 0));
    // Whoever is started again has its grace period, and is stopped if the part is full after it.
    for (const { id } of stopped) allowed.set(id, 0);
    const megabytes = (value: number) => Math.ceil(value / MEGABYTE);
    return stopped.map((member) => [
      member.id,
      `the containers and storage shares of its server take ${megabytes(bytes)} MB together and may take ${megabytes(bytesMax)}; ${megabytes(member.bytes)} are this container's: ${STOPPED}`,
    ]);
  }
}
