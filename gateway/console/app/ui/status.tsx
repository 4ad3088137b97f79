import { formatDateTime, formatRelative } from "../lib/format.ts";

export type Tone = "good" | "busy" | "idle" | "bad" | "warn";

/** A state in words, with a mark whose shape says the same as its colour. */
export const Status = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={`status ${tone}`}>
    <svg viewBox="0 0 10 10" aria-hidden="true">
      <path d={MARKS[tone]} />
    </svg>
    {children}
  </span>
);

const MARKS: Record<Tone, string> = {
  good: "M5 0a5 5 0 100 10A5 5 0 005 0z",
  busy: "M5 0a5 5 0 100 10A5 5 0 005 0zm0 2a3 3 0 010 6z",
  idle: "M5 0a5 5 0 100 10A5 5 0 005 0zm0 2a3 3 0 110 6 3 3 0 010-6z",
  bad: "M2 0L0 2l3 3-3 3 2 2 3-3 3 3 2-2-3-3 3-3-2-2-3 3z",
  warn: "M5 0l5 10H0z",
};

/** A date and time, which stay in one line. */
export const DateTime = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>;

/** A moment as people say it; the exact time on demand. */
export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatRelative(at)}
  </time>
);
