import { api } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { Confirm } from "../../ui/dialog.tsx";
import type { Container } from "./states.tsx";

interface ResetFirewallProps {
  readonly container: Container;
  readonly onClose: () => void;
}

/** Opens the container again. */
export const ResetFirewall = ({ container: { id, name }, onClose }: ResetFirewallProps) => (
  <Confirm
    title={`Reset the firewall of ${name}?`}
    action="Remove all rules"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        "The firewall is open: no rules",
        () => api.POST("/api/v1/containers/{id}/firewall/reset", { params: { path: { id } } }),
        ["containers", id],
      )
    }
    command={{
      method: "POST",
      path: `/api/v1/containers/${id}/firewall/reset`,
      berth: ["firewall", "reset", name],
    }}
  >
    <p>
      All rules are removed, and everything may reach the container again. Export them first to keep them.
    </p>
  </Confirm>
);
