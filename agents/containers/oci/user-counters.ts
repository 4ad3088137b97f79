import { run } from "../../exec/command.ts";
import { asRootOf, FIRST_ID } from "./id-ranges.ts";
import type { RuntimeName } from "./runtime-program.ts";

/**
 * What the kernel counts by user, such as inotify instances and waiting signals. It counts it for the maker of a user namespace: where each
 * container's own root makes it, each container has counters of its own.
 */

/** runc sets limits of processes in a way that needs CAP_SYS_RESOURCE for a namespace that it has not made; runsc was not tried. */
export const joinsUserNamespace = (runtime: RuntimeName): boolean => runtime === "crun";

let canMake: Promise<boolean> | undefined;

/** Whether others than the host's root may make user namespaces. The first answer is kept. */
function canRootsMakeNamespaces(): Promise<boolean> {
  canMake ??= canMakeNamespace(asRootOf(FIRST_ID));
  return canMake;
}

/** @param maker the words before a command of who makes it */
export const canMakeNamespace = (maker: readonly string[]): Promise<boolean> =>
  run([...maker, "unshare", "--user", "true"]).then(
    () => true,
    () => false,
  );

/**
 * Whether each container has its own counters. Otherwise all of them share those of the host's root.
 *
 * @param canMake whether containers' roots may make user namespaces
 */
export const hasOwnCounters = async (
  runtime: RuntimeName,
  canMake: () => Promise<boolean> = canRootsMakeNamespaces,
): Promise<boolean> => joinsUserNamespace(runtime) && (await canMake());
