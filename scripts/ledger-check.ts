import { BREACHES_SHOWN_MAX, type Check, proveLedger } from "../actors/billing/ledger/queries.ts";
import { checkDatabase } from "./external.ts";
import { runningDatabase } from "./running-database.ts";
import { besideRunning } from "./running-settings.ts";
import { readSettings } from "./settings.ts";

/** Checks the ledger and prints the result: one line for each rule and each breach. Returns whether all rules hold. */
export async function ledgerCheck(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<boolean> {
  const settings = readSettings(besideRunning(env));
  const url = settings.databaseUrl ?? runningDatabase(settings.data).gateway;
  await checkDatabase(url);
  return checkLedger(url, say);
}

/** The same for the database at a URL. */
export async function checkLedger(url: string, say: (line: string) => void): Promise<boolean> {
  const { wallets, transactions, movements, checks } = await proveLedger(url);
  say(`ledger: ${wallets} wallets, ${transactions} transactions, ${2 * movements} postings`);
  for (const check of checks) for (const line of linesOf(check)) say(line);
  const isWell = checks.every(({ broken }) => broken === 0);
  say(isWell ? "ledger: proved" : "ledger: NOT proved");
  return isWell;
}

function linesOf({ rule, broken, breaches }: Check): string[] {
  if (broken === 0) return [`  holds   ${rule}`];
  const more = broken > BREACHES_SHOWN_MAX ? [`            and ${broken - BREACHES_SHOWN_MAX} more`] : [];
  return [`  BROKEN  ${rule}: ${broken}`, ...breaches.map((breach) => `            ${breach}`), ...more];
}
