import { processIo } from "./io.ts";
import { main } from "./program.ts";

/** The entry of the compiled `berth`. Bytecode, which halves its start, has no `await` at its top. */

void main(process.argv.slice(2), processIo()).then((status) => process.exit(status));
