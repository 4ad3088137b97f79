import { expect, test } from "bun:test";
import { join } from "node:path";
import { LAUNCH_SETTINGS } from "../../system/launch-settings.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";

const MODULE = join(import.meta.dir, "../../system/launch-settings.ts");
const PROGRAM = `
  import { awaitLaunchSettings } from ${JSON.stringify(MODULE)};
  await awaitLaunchSettings(async () => console.log("meanwhile"));
  console.log(JSON.stringify([process.env.GIVEN, Object.keys(process.env).filter((name) => name.startsWith("BERTH_"))]));
`;

/** What a program prints and ends with that was started with these variables and this input. */
async function run(env: Readonly<Record<string, string>>, input: string) {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], {
    env: { ...CLEAN_ENVIRONMENT, ...env },
    stdin: new Blob([input]),
  });
  return { said: (await child.stdout.text()).trim().split("\n"), code: await child.exited };
}

test("a program gets the settings of its standard input, and passes on no word of that", async () => {
  expect(await run(LAUNCH_SETTINGS, '{"GIVEN":"this"}')).toEqual({
    said: ["meanwhile", '["this",[]]'],
    code: 0,
  });
});

test("a program whose settings never come, because the other end is gone, ends", async () => {
  expect(await run(LAUNCH_SETTINGS, "")).toEqual({ said: ["meanwhile"], code: 1 });
});

test("a program that an operator starts waits for nothing", async () => {
  expect(await run({}, '{"GIVEN":"this"}')).toEqual({ said: ["[null,[]]"], code: 0 });
});
