/** What a check found. */
export interface Finding {
  /** What was looked at: `clock`, `database`. */
  readonly check: string;
  /** `fault`: something does not work, or soon will not; `warning`: worth a look. */
  readonly state: "ok" | "warning" | "fault";
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found });

export const warning = (check: string, found: string, remedy: string): Finding => ({
  ...{ check, state: "warning", found, remedy },
});

export const fault = (check: string, found: string, remedy: string): Finding => ({
  ...{ check, state: "fault", found, remedy },
});

const NAMES_SHOWN_MAX = 5;

/** The first of these, and how many more there are. */
export const named = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN_MAX).join(", ") +
  (names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : "");
