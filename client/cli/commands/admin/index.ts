import type { CommandGroup } from "../../groups.ts";
import { cluster, credit, notify, overview } from "./acts.ts";
import { adminCertificates } from "./certificates.ts";
import { adminContainers } from "./containers.ts";
import { adminHosts } from "./hosts.ts";
import { adminImages } from "./images.ts";
import { reviews } from "./reviews.ts";
import { adminOffers, adminReservations, stock } from "./stock.ts";
import { adminInvoices, adminTransactions, refund } from "./transactions.ts";
import { audit, users } from "./users.ts";

/** For administrators. */
export const admin: CommandGroup = (program, cli) => {
  program.commandsGroup("Operators:");
  const group = program
    .command("admin")
    .summary("for administrators")
    .description("For administrators. An API token cannot do this: sign in with a password.");
  for (const add of [
    overview,
    users,
    adminHosts,
    adminContainers,
    adminCertificates,
    stock,
    adminOffers,
    adminReservations,
    adminImages,
    credit,
    adminTransactions,
    adminInvoices,
    refund,
    reviews,
    notify,
    audit,
    cluster,
  ])
    add(group, cli);
};
