import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

/** The scripts of `berth completion` in the shells themselves, on a terminal, with the key that people press. */

const ROOT = join(import.meta.dir, "../../..");
const SHELLS = {
  bash: { argv: ["bash", "--norc", "--noprofile", "-i"], load: "source <(berth completion bash)" },
  zsh: {
    argv: ["zsh", "-f", "-i"],
    load: "autoload -Uz compinit; compinit -u -D; source <(berth completion zsh)",
  },
  fish: { argv: ["fish", "--no-config", "-i"], load: "berth completion fish | source" },
} as const;

let stack: SharedStack;
let user: TestUser;
let folder: string;
let project: string;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
  project = `p${crypto.randomUUID().slice(0, 8)}`;
  await commandLine(stack, user).ok(`projects create ${project}`);
  folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  // What is completed is printed, and not done.
  const berth = `#!/bin/sh
case $1 in
__complete | completion) exec '${process.execPath}' '${join(ROOT, "scripts/berth.ts")}' "$@" ;;
*) echo "RAN: $*." ;;
esac
`;
  writeFileSync(join(folder, "bin/berth"), berth);
  chmodSync(join(folder, "bin/berth"), 0o755);
});
afterAll(() => stack?.stop());

for (const [name, { argv, load }] of Object.entries(SHELLS))
  test.skipIf(Bun.which(name) === null)(`${name} completes a command and the name of a thing`, async () => {
    let screen = "";
    const decoder = new TextDecoder();
    const shell = Bun.spawn([...argv], {
      cwd: folder,
      env: {
        ...CLEAN_ENVIRONMENT,
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        HOME: folder,
        TERM: "dumb",
        PS1: "$ ",
        BERTH_URL: stack.url,
        BERTH_TOKEN: user.token,
        BERTH_CONFIG_DIR: folder,
        BERTH_KEYRING: "off",
      },
      terminal: {
        cols: 100,
        rows: 30,
        data: (_terminal, bytes) => {
          screen += decoder.decode(bytes, { stream: true });
        },
      },
    });
    const type = (text: string) => shell.terminal?.write(text);
    const shows = (text: string) =>
      until(() => screen.includes(text)).catch(() => {
        throw new Error(`${text} did not appear in:\n${screen}`);
      });
    type(
      `${load}; echo loaded-$((1 + 1))\r`.replace(
        "$((1 + 1))",
        name === "fish" ? "(math 1 + 1)" : "$((1 + 1))",
      ),
    );
    await shows("loaded-2");
    type("berth containers sto\t web\r");
    await shows("RAN: containers stop web.");
    type(`berth projects delete ${project.slice(0, 8)}\t\r`);
    await shows(`RAN: projects delete ${project}.`);
    type("exit\r");
    expect(await shell.exited).toBe(0);
  });
