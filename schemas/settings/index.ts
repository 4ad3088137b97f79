import { accounts } from "./accounts.ts";
import { certificates } from "./certificates.ts";
import { controlPlane } from "./control-plane.ts";
import { hosting } from "./hosting.ts";
import { limits } from "./limits.ts";
import { mail } from "./mail.ts";
import { money } from "./money.ts";
import { oneMachine } from "./one-machine.ts";
import { retention } from "./retention.ts";
import type { Role, Setting } from "./setting.ts";
import { tracing } from "./tracing.ts";

/** Every setting of every process, by what it is about. */
export const SETTINGS = {
  "Control plane": controlPlane,
  "Accounts and webhooks": accounts,
  Mail: mail,
  Money: money,
  Hosts: hosting,
  Certificates: certificates,
  "Quotas and limits of requests": limits,
  "What is kept, and how long": retention,
  Traces: tracing,
  "One machine, and the command line": oneMachine,
} as const satisfies Record<string, readonly Setting[]>;

const ALL: readonly Setting[] = Object.values(SETTINGS).flat();

export const settingsOf = (role: Role): Setting[] => ALL.filter(({ roles }) => roles.includes(role));

export const SETTING_NAMES: ReadonlySet<string> = new Set(ALL.map(({ name }) => name));
