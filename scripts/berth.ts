import { ledgerCheck } from "./ledger-check.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { SetupError } from "./setup-error.ts";

/** `bun run berth <command>`: what an operator does besides running the processes. */

const COMMANDS: Readonly<Record<string, { readonly does: string; readonly run: () => Promise<boolean> }>> = {
  "ledger-check": {
    does: "proves every balance from its postings; with DATABASE_URL, or of the Berth that runs in BERTH_DATA",
    run: () => ledgerCheck(process.env, console.log),
  },
  migrate: {
    does: "brings the database of BERTH_OWNER_DATABASE_URL, or of DATABASE_URL, to the newest migration",
    run: () => migrateDatabase(process.env, console.log),
  },
};

/** All is well; the command found something; it could not be run. */
const WELL = 0;
const FOUND = 1;
const FAILED = 2;

const [name = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined || rest.length > 0) {
  console.error("usage: bun run berth <command>");
  for (const [known, { does }] of Object.entries(COMMANDS)) console.error(`  ${known}  ${does}`);
  process.exit(FAILED);
}
try {
  process.exit((await command.run()) ? WELL : FOUND);
} catch (error) {
  console.error(`berth: ${error instanceof SetupError ? error.message : Bun.inspect(error)}`);
  process.exit(FAILED);
}
