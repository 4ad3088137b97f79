import { Counter, Gauge, Histogram, type Registry } from "../../../system/prometheus.ts";

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60];
const OUTCOMES = ["sent", "failed", "given_up"] as const;

export interface MailMetrics {
  /** `failed`: it is tried again. */
  observe(outcome: (typeof OUTCOMES)[number], durationMs: number): void;
  setPending(count: number): void;
}

export function mailMetrics(registry: Registry): MailMetrics {
  const attempts = new Counter({
    name: "berth_mail_attempts_total",
    help: "Attempts to hand a mail to the mail server",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "berth_mail_attempt_duration_seconds",
    help: "Time of an attempt",
    buckets: SECONDS,
    registers: [registry],
  });
  const pending = new Gauge({
    name: "berth_mails_pending",
    help: "Mails that wait",
    registers: [registry],
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  return {
    observe(outcome, durationMs) {
      attempts.inc({ outcome });
      durations.observe(durationMs / 1000);
    },
    setPending: (count) => pending.set(count),
  };
}
