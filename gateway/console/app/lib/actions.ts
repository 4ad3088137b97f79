import { messageOf, requestIdOf } from "./messages.ts";
import { queryClient } from "./queries.ts";
import { readAgain } from "./read-again.ts";
import { toast } from "./toasts.ts";

/** Does something from a button: says that it is done, or why it is not, and reads again what it has changed. Returns whether it was done. */
export async function act(
  done: string,
  work: () => Promise<unknown>,
  ...changed: readonly (readonly string[])[]
): Promise<boolean> {
  let isDone = false;
  try {
    await work();
    isDone = true;
    toast(done);
  } catch (error) {
    toast(messageOf(error), "failed", requestIdOf(error));
  }
  await refresh(...changed);
  return isDone;
}

/** Reads again what a form has changed. The event of the change does the same in other tabs. */
export const refresh = (...changed: readonly (readonly string[])[]): Promise<unknown> =>
  Promise.all(changed.map((queryKey) => readAgain(queryClient, queryKey)));
