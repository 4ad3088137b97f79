import { afterAll, afterEach } from "bun:test";
import { closeOpened } from "./after-test.ts";
import { clearIntervals, trackIntervals } from "./clear-intervals.ts";
import { stopShared } from "./servers.ts";

// Of the whole run, since this file is preloaded: not of each test file.
afterAll(stopShared);
afterEach(closeOpened);
trackIntervals();
afterAll(clearIntervals);

// The number of a process that is not there yet reads as 0 all too easily, and 0 is this very process group.
const kill = process.kill.bind(process);
process.kill = (pid, signal) => {
  if (!Number.isInteger(pid) || (pid <= 1 && pid >= -1))
    throw new Error(`a test must not signal process ${pid}`);
  return kill(pid, signal);
};
