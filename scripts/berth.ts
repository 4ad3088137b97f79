import { processIo } from "../client/cli/io.ts";
import { main } from "../client/cli/program.ts";
import { operatorCommands } from "./operator-commands.ts";

/** `bun run berth <command>`: the command line, with the commands for operators of this machine. */

process.exit(await main(process.argv.slice(2), processIo(), [operatorCommands]));
