import type { Schemas } from "../../lib/api.ts";
import { portable } from "./rule-diff.ts";

/** Saves the rules as a file that another container can import. */
export function saveRules(name: string, listing: Schemas["FirewallListing"] | undefined): void {
  if (listing === undefined) return;
  const rules = [...listing.ingress, ...listing.egress].map(portable);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify({ rules }, null, 2)}\n`], { type: "application/json" }),
  );
  link.download = `firewall-${name}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
