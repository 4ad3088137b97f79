import { afterAll } from "bun:test";
import { stopShared } from "./servers.ts";

// Of the whole run, since this file is preloaded: not of each test file.
afterAll(stopShared);
