import type { CommandCaller, HostCommandRequest } from "../../schemas/hosting/container-command.ts";

/** A command ends with its caller's access, as terminals and streams do. */

/** Within this time of the end of the access. */
const LOOK_MS = 500;
/** A caller who was just let in may be here before the list of users is: so long the command goes on. */
const NEWCOMER_MS_MAX = 10_000;

/** What a host knows of those who have commands run. */
export interface CallerAccess {
  /** Whether the host was told that the session has ended. */
  hasSessionEnded(caller: CommandCaller): boolean;
  /** Whether the container's list has the user. */
  mayEnter(containerId: string, userId: string): boolean;
}

/** Aborts its signal when the caller of a command may no longer have it run. */
export function watchCaller(
  access: CallerAccess,
  { caller, container_id }: HostCommandRequest,
): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  if (caller === undefined) return { signal: abort.signal, [Symbol.dispose]: () => {} };
  const newcomerUntilMs = performance.now() + NEWCOMER_MS_MAX;
  let wasListed = false;
  const look = () => {
    const isListed = access.mayEnter(container_id, caller.user_id);
    wasListed ||= isListed;
    const isRemoved = !isListed && (wasListed || performance.now() > newcomerUntilMs);
    const isOver = caller.ends_ms !== null && caller.ends_ms <= Date.now();
    if (isRemoved || isOver || access.hasSessionEnded(caller)) abort.abort();
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return { signal: abort.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
