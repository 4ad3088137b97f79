import { availableParallelism, totalmem } from "node:os";

/** The machine of a run, in words: nothing that says whose it is. */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${memory} GiB of memory; everything runs on it`;
}
