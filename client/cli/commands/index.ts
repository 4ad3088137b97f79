import type { CommandGroup } from "../groups.ts";
import { account } from "./account.ts";
import { admin } from "./admin/index.ts";
import { alias } from "./alias.ts";
import { api } from "./api.ts";
import { auth } from "./auth.ts";
import { completion } from "./completion.ts";
import { containers } from "./containers.ts";
import { context } from "./context.ts";
import { copy } from "./copy.ts";
import { events, inbox } from "./events.ts";
import { exec } from "./exec.ts";
import { firewall } from "./firewall.ts";
import { image } from "./image.ts";
import { invoices } from "./invoices.ts";
import { logs } from "./logs.ts";
import { offers, reservations } from "./market.ts";
import { permissions } from "./permissions.ts";
import { pipe } from "./pipe.ts";
import { pool } from "./pool.ts";
import { portForward } from "./port-forward.ts";
import { projects } from "./projects.ts";
import { servers } from "./servers.ts";
import { notify, open, sshConfig } from "./services.ts";
import { quotas, sessions } from "./sessions.ts";
import { share } from "./share.ts";
import { shell } from "./shell.ts";
import { stats } from "./stats.ts";
import { token } from "./token.ts";
import { down, up } from "./up.ts";
import { transactions, wallet } from "./wallet.ts";
import { webhooks } from "./webhooks.ts";

/** By the commands that they add, in the order of the help: each of the first of a part names the part. */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  login: auth,
  signup: auth,
  recover: auth,
  logout: auth,
  whoami: auth,
  account,
  context,
  token,
  sessions,
  quotas,
  servers,
  offers,
  reservations,
  pool,
  projects,
  containers,
  up,
  down,
  logs,
  stats,
  exec,
  shell,
  cp: copy,
  "port-forward": portForward,
  open,
  "ssh-config": sshConfig,
  firewall,
  alias,
  permissions,
  share,
  pipe,
  notify,
  image,
  wallet,
  transactions,
  invoices,
  events,
  inbox,
  webhooks,
  api,
  completion,
  admin,
};

/** Those that a command line needs: the one that it names, as all of them take longer to make than most of their work. */
export function groupsFor(first: string | undefined): readonly CommandGroup[] {
  const named = first !== undefined && Object.hasOwn(GROUPS, first) ? GROUPS[first] : undefined;
  return named === undefined ? [...new Set(Object.values(GROUPS))] : [named];
}
