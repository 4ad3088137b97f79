import { afterAll, setDefaultTimeout } from "bun:test";
import { stopShared } from "./servers.ts";

// Of the whole run, since this file is preloaded: not of each test file.
afterAll(stopShared);

// Tests start servers. Bun ends every child process of the run when one test runs out of time, so none should by accident.
setDefaultTimeout(60_000);
