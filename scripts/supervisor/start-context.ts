import { join } from "node:path";
import type { ByRole } from "../../actors/platform/db/roles.ts";
import { urlHost } from "../../system/listen-address.ts";
import type { OrphanWatchdog } from "../orphan-watchdog.ts";
import type { Secrets } from "../secrets.ts";
import type { Settings } from "../settings.ts";
import type { Children } from "./children.ts";

/** Program and arguments of each of Berth's own processes. */
export interface RoleCommands {
  readonly actors: readonly string[];
  readonly gateway: readonly string[];
  readonly agent: readonly string[];
  /** Joins this machine, once. */
  readonly join: readonly string[];
  readonly seed: readonly string[];
}

export interface User {
  readonly name: string;
  readonly password: string;
}

/** The servers that the processes use: a URL for each kind of user. */
export interface Servers {
  /** A database that has every migration. */
  readonly database: ByRole;
  readonly nats: { readonly control: string; readonly agent: string };
}

/** What all steps of a start use. */
export interface StartContext {
  readonly settings: Settings;
  readonly commands: RoleCommands;
  /** Where the commands run: the checkout. */
  readonly cwd: string;
  /** Finds nats-server, or installs it. Called only when it is needed. */
  readonly natsServer: () => Promise<string>;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
  readonly secrets: Secrets;
  readonly children: Children;
  readonly watchdog: OrphanWatchdog;
  /** By the name of a process. */
  readonly metricsPorts: ReadonlyMap<string, number>;
}

/** Where the gateway listens. */
export const gatewayUrl = ({ listen, port }: Settings): string => `http://${urlHost(listen)}:${port}`;

export const logFile = ({ data }: Settings, name: string): string => join(data, "logs", `${name}.log`);

export const actorHostNames = ({ actorHosts }: Settings): readonly string[] =>
  Array.from({ length: actorHosts }, (_, index) => `actors-${index + 1}`);
