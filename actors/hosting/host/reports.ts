import type { ContainerExit } from "../../../schemas/hosting/container.ts";
import {
  ContainerStatus,
  FirewallStatus,
  REPORT_ERROR_LENGTH_MAX,
  REPORT_LENGTH_MAX,
  ShareStatus,
  TerminalOpened,
} from "../../../schemas/hosting/desired.ts";
import { ID_PATTERN } from "../../../schemas/primitives.ts";
import { type Reader, type Received, storableJsonOf } from "../../../schemas/received.ts";

/** A host's report, under the key `<kind>.<id>` of its bucket. */
export type Report =
  | { readonly kind: "container"; readonly id: string; readonly report: ContainerStatus }
  | { readonly kind: "firewall"; readonly id: string; readonly report: FirewallStatus }
  | { readonly kind: "share"; readonly id: string; readonly report: ShareStatus }
  | { readonly kind: "terminal"; readonly id: string; readonly report: TerminalOpened };

export const REPORT_KINDS = ["container", "firewall", "share", "terminal"] as const;
const READERS: Readonly<Record<Report["kind"], Reader<Report["report"]>>> = {
  container: storableJsonOf(ContainerStatus, REPORT_LENGTH_MAX),
  firewall: storableJsonOf(FirewallStatus, REPORT_LENGTH_MAX),
  share: storableJsonOf(ShareStatus, REPORT_LENGTH_MAX),
  terminal: storableJsonOf(TerminalOpened, REPORT_LENGTH_MAX),
};
const TERMINAL_REPORT_ID = /^[0-9a-f]{24}-[0-9a-f]{24}$/;
const IDS = { container: ID_PATTERN, firewall: ID_PATTERN, share: ID_PATTERN, terminal: TERMINAL_REPORT_ID };

/** Whether an id has the form that reports of this kind need. */
export const isReportId = (kind: Report["kind"], id: string): boolean => IDS[kind].test(id);

/** The container, or the storage share, that a report is about. */
export const containerOf = ({ id }: Pick<Report, "id">): string => id.split("-", 1)[0] ?? "";

/** A key that can be used in a NATS subject as it is, without wildcards. */
const PLAIN_KEY = /^[\w-]+(\.[\w-]+)*$/;

/**
 * Sorts the keys of a bucket: reports, those on the host's containers and shares first, so that invented ones cannot delay them;
 * and invalid keys of known kinds, which would fill the bucket. Unknown kinds may come from a newer agent and are
 * left alone.
 */
export function sortReports(
  texts: ReadonlyMap<string, string>,
  recorded: ReadonlySet<string>,
): { reports: { kind: Report["kind"]; id: string; text: string }[]; junk: string[] } {
  const reports: { kind: Report["kind"]; id: string; text: string }[] = [];
  const junk: string[] = [];
  for (const [key, text] of texts) {
    const [name, id = "", ...rest] = key.split(".");
    const kind = REPORT_KINDS.find((one) => one === name);
    if (kind === undefined) continue;
    if (rest.length === 0 && isReportId(kind, id)) reports.push({ kind, id, text });
    else if (PLAIN_KEY.test(key)) junk.push(key);
  }
  const isThere = ({ id }: { id: string }) => recorded.has(containerOf({ id }));
  return { reports: [...reports.filter(isThere), ...reports.filter((one) => !isThere(one))], junk };
}

/**
 * Reads the text of a report. A host's clock and texts are not trusted: a time in the future becomes `now`, and a
 * long text is cut, so that the rest of the report still counts.
 */
export function readReport(kind: Report["kind"], id: string, text: string, now: Date): Received<Report> {
  const received = READERS[kind](text);
  if ("reason" in received) return received;
  const report = bounded(received.value, now);
  return report === undefined ? { reason: "of no time" } : { value: { kind, id, report } as Report };
}

function bounded(report: Report["report"], now: Date): Report["report"] | undefined {
  const time = "opened_at" in report ? report.opened_at : report.reported_at;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  const past = (at > now ? now : at).toISOString();
  if ("opened_at" in report) return { ...report, opened_at: past };
  const error = report.error === null ? null : cut(report.error);
  const exit = "exit" in report && report.exit ? { exit: boundedExit(report.exit, past) } : {};
  return { ...report, reported_at: past, error, ...exit };
}

/** An end that is dated after its report, or not at all, was at the time of the report. */
function boundedExit(exit: ContainerExit, reportedAt: string): ContainerExit {
  const at = new Date(exit.at);
  const isPast = at <= new Date(reportedAt);
  return { ...exit, reason: cut(exit.reason), at: isPast ? at.toISOString() : reportedAt };
}

const cut = (text: string): string =>
  text.length <= REPORT_ERROR_LENGTH_MAX
    ? text
    : // Half of a pair of surrogates is no text that the database can store.
      `${text.slice(0, REPORT_ERROR_LENGTH_MAX - 1).toWellFormed()}…`;
