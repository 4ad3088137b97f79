import { refresh } from "./actions.ts";
import { toast } from "./toasts.ts";

/** Does what a form or a confirmation asks for, which shows why it is refused; `act` is the same for a button. */
export async function perform(
  done: string,
  work: () => Promise<unknown>,
  ...changed: readonly (readonly string[])[]
): Promise<void> {
  await work();
  await refresh(...changed);
  toast(done);
}
