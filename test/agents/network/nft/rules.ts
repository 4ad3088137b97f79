import { randomBytes } from "node:crypto";
import type { DesiredFirewall } from "../../../../schemas/hosting/desired.ts";
import type { FirewallRule } from "../../../../schemas/hosting/firewall.ts";

export const newId = () => randomBytes(12).toString("hex");

/** A name for a table that no agent has, nor a run of these tests beside this one. */
export const newTable = () => `berth_fw_${randomBytes(6).toString("hex")}`;

/** A rule in normal form: ingress, allow, tcp and enabled unless told. */
export function rule(fields: Partial<FirewallRule> = {}): FirewallRule {
  return {
    id: newId(),
    direction: "ingress",
    action: "allow",
    protocol: "tcp",
    description: "",
    state: "enabled",
    ...fields,
  };
}

export function firewall(
  containerId: string,
  rules: readonly FirewallRule[],
  fields: Partial<DesiredFirewall> = {},
): DesiredFirewall {
  return {
    revision: 1,
    server_name: "node-9",
    container_id: containerId,
    attached: true,
    closed: true,
    rules: [...rules],
    ...fields,
  };
}
