import { expect, test } from "bun:test";
import type { Bus } from "../../../actors/runtime/ports.ts";
import { appliedFirewalls } from "../../../gateway/hosts/applied-firewalls.ts";

const AMPLE_MS = 60_000;
const status = (revision: number) =>
  JSON.stringify({ revision, enforced: true, error: null, reported_at: "2026-01-31T09:30:00.000Z" });

/** What a gateway knows of one container's firewall, whose host reports by `report`. */
function gateway() {
  let receive: ((text: string) => void) | undefined;
  const bus = {
    subscribe(_subject: string, taken: (text: string, replyTo: string, subject: string) => void) {
      receive = (text) => taken(text, "", "");
      return () => {
        receive = undefined;
      };
    },
  } as unknown as Bus;
  return {
    ...appliedFirewalls(bus, async () => 0, AMPLE_MS),
    report: (revision: number) => receive?.(status(revision)),
  };
}

test("what a reply called applied stays applied after a change that changed nothing, though the record is behind", async () => {
  const { newest, awaitApplied, report } = gateway();
  const recorded = { revision: 1, applied_revision: 0, applied: false, enforced: false, error: null };
  const container = { id: "web", server_name: "node-1" };
  const applied = { revision: 1, applied_revision: 1, applied: true, enforced: true, error: null };
  const added = await awaitApplied({ ...container, firewall: { ...recorded, revision: 0 } }, async () => {
    report(1);
    return { revision: 1 };
  });
  expect(added.firewall).toEqual(applied);
  // A route gives the status as it was read and brought up to date.
  const firewall = newest("web", recorded);
  expect(firewall).toEqual(applied);
  const same = await awaitApplied({ ...container, firewall }, async () => ({ revision: 1 }));
  expect(same.firewall).toEqual(applied);
  expect(newest("web", recorded)).toEqual(applied);
  // Once the record is ahead, it alone counts.
  const later = { ...recorded, revision: 2, applied_revision: 2, applied: true };
  expect(newest("web", later)).toEqual(later);
});
