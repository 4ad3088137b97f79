import { imageImport } from "./image-import.ts";
import { imageMake } from "./image-make.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { SetupError } from "./setup-error.ts";

/** `bun run berth <command>`: commands for operators. */

interface Command {
  /** The names of its arguments. */
  readonly takes?: readonly string[];
  readonly does: string;
  readonly run: (given: readonly string[]) => Promise<boolean>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "image import": {
    takes: ["file-or-folder", "reference"],
    does: "gives this host an image from an archive (docker save) or a folder (OCI layout), for containers of that reference; BERTH_DATA is the agent's folder",
    run: (given) => imageImport(process.env, console.log, given),
  },
  "image make": {
    takes: ["desktop-or-code"],
    does: "makes an image here from Debian's packages (and npm's), for containers and for the demo's catalogue: a desktop, or an editor in the browser; takes minutes",
    run: (given) => imageMake(process.env, console.log, given),
  },
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

const words = process.argv.slice(2);
const [name, command] =
  Object.entries(COMMANDS).find(([known]) => known === words.slice(0, known.split(" ").length).join(" ")) ??
  [];
const given = words.slice(name?.split(" ").length);
if (command === undefined || given.length !== (command.takes ?? []).length) {
  console.error("usage: bun run berth <command>");
  for (const [known, { takes = [], does }] of Object.entries(COMMANDS))
    console.error(`  ${[known, ...takes.map((one) => `<${one}>`)].join(" ")}  ${does}`);
  process.exit(FAILED);
}
try {
  process.exit((await command.run(given)) ? WELL : FOUND);
} catch (error) {
  console.error(`berth: ${error instanceof SetupError ? error.message : Bun.inspect(error)}`);
  process.exit(FAILED);
}
