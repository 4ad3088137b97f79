import { REPORT_ERROR_LENGTH_MAX } from "../../schemas/hosting/desired.ts";

/**
 * The reason of a failure as a report carries it. Programs of a container write parts of it: the control plane refuses a report with text
 * that it cannot store, and the container would keep the state before.
 */
export function toReportText(reason: string): string {
  const cut =
    reason.length > REPORT_ERROR_LENGTH_MAX ? `${reason.slice(0, REPORT_ERROR_LENGTH_MAX - 1)}…` : reason;
  return cut.replace(/\p{Cc}/gu, " ").toWellFormed();
}
