import { Value } from "@sinclair/typebox/value";
import type { Bus } from "../actors/runtime/ports.ts";
import { FirewallStatus } from "../schemas/desired.ts";
import type { FirewallApplied } from "../schemas/firewall.ts";
import { desiredKey, statusBucket } from "../schemas/subjects.ts";

/** How long a reply waits for the host: most answer in a few milliseconds, and one that is down must not hold a request. */
const APPLIED_WITHIN_MS = 1_000;

/** Waits for a container's host to say that it follows a new firewall revision. */
export interface AppliedFirewalls {
  /**
   * Runs a change and waits a moment for the host to apply it. What comes back says how far the host is: `applied` is
   * false when it did not answer in time, in which case it catches up by itself.
   */
  follow<T extends { revision: number }>(
    container: { id: string; server_name: string; firewall: FirewallApplied },
    change: () => Promise<T>,
  ): Promise<{ result: T; firewall: FirewallApplied }>;
}

export function appliedFirewalls(bus: Pick<Bus, "subscribe">): AppliedFirewalls {
  return {
    async follow(container, change) {
      let newest: FirewallStatus | undefined;
      let settled = () => {};
      // Listening begins before the change, since the host may be done before its revision is known here.
      const unsubscribe = bus.subscribe(
        `$KV.${statusBucket(container.server_name)}.${desiredKey("firewall", container.id)}`,
        (text) => {
          const status = statusOf(text);
          if (status === undefined) return;
          newest = status;
          settled();
        },
      );
      try {
        const result = await change();
        const before = container.firewall;
        const isDone = () =>
          newest !== undefined && (newest.revision >= result.revision || newest.error !== null);
        if (before.applied_revision < result.revision && !isDone()) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, APPLIED_WITHIN_MS);
            settled = () => {
              if (!isDone()) return;
              clearTimeout(timer);
              resolve();
            };
          });
        }
        const appliedRevision = Math.max(newest?.revision ?? 0, before.applied_revision);
        return {
          result,
          firewall: {
            revision: result.revision,
            applied_revision: Math.min(appliedRevision, result.revision),
            applied: appliedRevision >= result.revision,
            enforced: newest?.enforced ?? before.enforced,
            error: newest?.error ?? null,
          },
        };
      } finally {
        unsubscribe();
      }
    },
  };
}

function statusOf(text: string | null): FirewallStatus | undefined {
  if (text === null || text === "") return undefined;
  const status: unknown = JSON.parse(text);
  return Value.Check(FirewallStatus, status) ? status : undefined;
}
