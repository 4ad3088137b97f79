import type { Logger } from "pino";
import type { Registry } from "../../../system/prometheus.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { MailSettings } from "../../platform/mail-settings.ts";
import type { ActorsFor } from "../../senders.ts";
import { MailDeliverer } from "./deliver.ts";
import { mailMetrics } from "./metrics.ts";
import { mailReconciler } from "./reconcile.ts";

/** Mail of an actor host. */
export interface Mail {
  readonly reconciler: Reconciler;
  /** There may be something to send. */
  wake(): void;
  stop(): Promise<void>;
}

export interface MailOptions {
  readonly db: Sql;
  readonly log: Logger;
  readonly registry: Registry;
  readonly settings: MailSettings;
  readonly keepHours: number;
  readonly actors: ActorsFor<"reconciler">;
}

/** Begins to send what waits. */
export function startMail({ db, log, registry, settings, keepHours, actors }: MailOptions): Mail {
  const metrics = mailMetrics(registry);
  const deliverer = new MailDeliverer({ db, log, metrics, settings, actors });
  return {
    reconciler: mailReconciler({ db, metrics, keepHours }),
    wake: () => deliverer.wake(),
    stop: () => deliverer.stop(),
  };
}
