import { REPORT_ERROR_LENGTH_MAX } from "../../schemas/hosting/desired.ts";
import { DISGUISING_CHARACTERS } from "../../schemas/text.ts";

/**
 * Cleans the reason of a failure for a report. Programs of a container write parts of it: they must not turn the text
 * around it, and the control plane refuses a report with text that it cannot store; then the container would keep its
 * former state.
 */
export function toReportText(reason: string): string {
  const cut =
    reason.length > REPORT_ERROR_LENGTH_MAX ? `${reason.slice(0, REPORT_ERROR_LENGTH_MAX - 1)}…` : reason;
  return cut.replace(DISGUISING_CHARACTERS, " ").toWellFormed();
}
