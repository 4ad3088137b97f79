import type { ActorsFor } from "../../../actors/senders.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import type { Container } from "../../../schemas/hosting/container.ts";
import type { GatewayContext } from "../../context.ts";
import type { Operation } from "../../idempotency.ts";

type Owner = {
  readonly user_id: string;
  readonly project_id: string;
  readonly server_id: string;
  readonly by: string;
};

/** Sends a change to a firewall's actor, and waits a moment for the host to apply it. */
export const firewallChange =
  ({ actors, appliedFirewalls }: Pick<GatewayContext, "actors" | "appliedFirewalls">) =>
  <T extends { revision: number }>(
    container: Container,
    caller: Caller,
    operation: Operation,
    act: (
      actor: ReturnType<ActorsFor<"gateway">["firewall"]>,
      owner: Owner,
      options: ReturnType<Operation["scopedTo"]>,
    ) => Promise<{ value: T }>,
  ) =>
    appliedFirewalls.awaitApplied(container, async () => {
      const { user_id, project_id, server_id } = container;
      const owner = { user_id, project_id, server_id, by: caller.userId };
      const { value } = await act(actors.firewall(container.id), owner, operation.scopedTo(caller.userId));
      return value;
    });
