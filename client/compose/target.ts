import type { createClient } from "../index.ts";

export type Api = ReturnType<typeof createClient>;

/** Where a project is made, and what the command line and the console do each in their own way. */
export interface Target {
  readonly api: Api;
  /** The id of a server that the user reaches. @throws an error that says that there is none of this name */
  serverId(name: string): Promise<string>;
  /** Deletes a container, and returns when it is gone: its name is free then. */
  untilDeleted(
    container: { readonly id: string; readonly name: string },
    remove: () => Promise<unknown>,
  ): Promise<void>;
  /** Restarts a container, and may wait until it has happened. */
  untilRestarted(id: string, restart: () => Promise<unknown>): Promise<void>;
}
