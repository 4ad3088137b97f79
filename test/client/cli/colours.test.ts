import { expect, test } from "bun:test";
import { temporaryFolder } from "../../harness/servers.ts";
import { CTRL_C, inTerminal } from "./in-terminal.ts";

const ESC = "\u001b";
const COLOUR = new RegExp(`${ESC}\\[(?:3|9)\\dm`);

/** A question to a person. Nothing is sent before it is answered. */
async function asked(env: Readonly<Record<string, string>>): Promise<string> {
  const place = {
    url: "http://127.0.0.1:1",
    folder: temporaryFolder(),
    env: { BERTH_TOKEN: "none", ...env },
  };
  const command = inTerminal(place, ["projects", "delete", "0".repeat(24)]);
  await command.shows("Delete the project");
  command.type(CTRL_C);
  expect(await command.exited).toBe(130);
  return command.screen();
}

test("a terminal has colours, and with NO_COLOR none", async () => {
  expect(await asked({})).toMatch(COLOUR);
  expect(await asked({ NO_COLOR: "1" })).not.toMatch(COLOUR);
});
