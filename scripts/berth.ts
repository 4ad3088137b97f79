import { ledgerCheck } from "./ledger-check.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { SetupError } from "./setup-error.ts";

/** `bun run berth <command>`: commands for operators. */

const COMMANDS: Readonly<Record<string, { readonly does: string; readonly run: () => Promise<boolean> }>> = {
  "ledger-check": {
    does: "proves every balance from its postings, in DATABASE_URL or in the Berth that runs in BERTH_DATA",
    run: () => ledgerCheck(process.env, console.log),
  },
  migrate: {
    does: "applies missing migrations to BERTH_OWNER_DATABASE_URL, or to DATABASE_URL",
    run: () => migrateDatabase(process.env, console.log),
  },
};

/** Exit codes: all is well; the command found a fault; it could not run. */
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
