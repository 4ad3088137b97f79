import type { Schemas } from "../../lib/api.ts";
import { Status } from "../../ui/status.tsx";

/** Whether the host enforces the rules that were asked for. */
export function AppliedFirewall({ firewall }: { firewall: Schemas["FirewallApplied"] }) {
  if (firewall.error !== null) return <Status tone="bad">{`not applied: ${firewall.error}`}</Status>;
  if (!firewall.applied) return <Status tone="busy">being applied</Status>;
  if (!firewall.enforced) return <Status tone="warn">its host does not enforce rules</Status>;
  if (firewall.revision === 0) return <Status tone="warn">open: no rules</Status>;
  return <Status tone="good">in force</Status>;
}
