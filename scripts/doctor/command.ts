import type { Cli } from "../../client/cli/cli.ts";
import { plural } from "../../client/cli/output/format.ts";
import { examine } from "./doctor.ts";
import type { Finding } from "./finding.ts";

const SIGNS = { ok: "ok     ", warning: "WARNING", fault: "FAULT  " } as const;

/** `berth doctor`: finds what is wrong with an installation, and says what to do. @returns whether there is no fault */
export async function doctor(
  env: Readonly<Record<string, string | undefined>>,
  { io, options }: Cli,
): Promise<boolean> {
  const findings = await examine(env);
  const isWell = findings.every(({ state }) => state !== "fault");
  const { json, quiet } = options();
  if (json) await io.out(`${JSON.stringify({ ok: isWell, findings }, null, 2)}\n`);
  else for (const finding of findings) if (!quiet || finding.state !== "ok") await io.out(lineOf(finding));
  if (!json && !quiet) await io.out(summaryOf(findings));
  return isWell;
}

const lineOf = ({ state, check, found, remedy }: Finding): string =>
  `${SIGNS[state]} ${check}: ${found}\n${remedy === undefined ? "" : `        ${remedy}\n`}`;

function summaryOf(findings: readonly Finding[]): string {
  const count = (state: Finding["state"]) => findings.filter((one) => one.state === state).length;
  const said = plural(findings.length, "check");
  return `${said}: ${plural(count("fault"), "fault")}, ${plural(count("warning"), "warning")}\n`;
}
