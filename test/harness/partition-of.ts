import { PartitionMap } from "../../actors/runtime/partition.ts";

const initial = PartitionMap.initial();

/** The partition of an actor in a cluster that has not grown. */
export const partitionOf = (kind: string, id: string): number => initial.of(kind, id);
