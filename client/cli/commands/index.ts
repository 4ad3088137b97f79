import type { CommandGroup } from "../groups.ts";
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
import { pipe } from "./pipe.ts";
import { pool } from "./pool.ts";
import { projects } from "./projects.ts";
import { servers } from "./servers.ts";
import { notify, open, sshConfig } from "./services.ts";
import { quotas, sessions } from "./sessions.ts";
import { shell } from "./shell.ts";
import { token } from "./token.ts";
import { transactions, wallet } from "./wallet.ts";
import { webhooks } from "./webhooks.ts";

/** The commands, in the order of the help: each of the first of a part names the part. */
export const GROUPS: readonly CommandGroup[] = [
  auth,
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
  logs,
  exec,
  shell,
  copy,
  open,
  sshConfig,
  firewall,
  alias,
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
];
