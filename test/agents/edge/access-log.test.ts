import { expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AccessLog } from "../../../agents/edge/access-log.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const DAY_SECONDS = 24 * 60 * 60;

test("access logs are deleted so many days after their name's last request as the operator has set", () => {
  const folder = temporaryFolder();
  for (const [name, days] of [
    ["new", 4],
    ["old", 6],
  ] as const) {
    const file = join(folder, `${name}.log`);
    writeFileSync(file, "{}\n");
    const at = Date.now() / 1_000 - days * DAY_SECONDS;
    utimesSync(file, at, at);
  }
  const log = new AccessLog(folder, 5);
  expect(readdirSync(folder)).toEqual(["new.log"]);
  log.close();
});
