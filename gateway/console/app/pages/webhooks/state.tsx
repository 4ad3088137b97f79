import type { Schemas } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Status, type Tone, When } from "../../ui/status.tsx";

const REASONS: Record<Schemas["DisabledReason"], string> = {
  by_owner: "off",
  failing: "off: deliveries failed for a day",
  too_far_behind: "off: too many deliveries waited",
};

export function stateOf({ enabled, disabled_reason }: Schemas["Webhook"]) {
  if (enabled) return <Status tone="good">on</Status>;
  const reason = disabled_reason ?? "by_owner";
  return <Status tone={reason === "by_owner" ? "idle" : "bad"}>{REASONS[reason]}</Status>;
}

const TONES: Record<Schemas["DeliveryStatus"], Tone> = { pending: "busy", delivered: "good", failed: "bad" };

export function DeliveryState({
  delivery: { status, attempts, next_attempt_at },
}: {
  delivery: Schemas["WebhookDelivery"];
}) {
  if (status !== "pending" || attempts === 0 || next_attempt_at === null)
    return <Status tone={TONES[status]}>{status}</Status>;
  return (
    // One item where the row is a card.
    <div>
      <Status tone="warn">{`pending: ${plural(attempts, "attempt")} failed`}</Status> · the next{" "}
      <NextAttempt at={next_attempt_at} />
    </div>
  );
}

/** A moment is no minute, and a time that has come is not over yet: then the attempt is made within seconds. */
const NextAttempt = ({ at }: { at: string }) =>
  Date.parse(at) - Date.now() < MINUTE_MS ? "within a minute" : <When at={at} />;

const MINUTE_MS = 60_000;
