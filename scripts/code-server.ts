import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { which } from "bun";
import { run } from "../agents/exec/command.ts";

/**
 * VS Code in the browser (code-server) from npm, for an image: it needs nothing of a network when it runs. Its packages are installed without
 * their scripts; the two that have to be compiled are compiled with the headers of the Node that goes into the image.
 */

const VERSION = "4.139.1";
/** What that version of code-server asks for. */
const NODE_VERSION = "24";
const COMPILED = ["@vscode/spdlog", "@vscode/native-watchdog"];
const TOOLS = ["npm", "g++", "make", "python3"];
/** Half a gigabyte of small files, on a slow line. */
const INSTALL_MS_MAX = 20 * 60_000;
/** Agents of other firms, which need their networks. */
const LEFT_OUT = ["@github", "@microsoft/mxc-sdk", "@devcontainers"];

const HOME = "/opt/code-server";
export const CODE_PORT = 8_443;
/** Behind the edge, which asks for the credential, and on the loopback interface, where nobody else comes. */
export const CODE_START = [
  `${HOME}/bin/node`,
  `${HOME}/node_modules/code-server/out/node/entry.js`,
  ...["--auth", "none", "--bind-addr", `127.0.0.1:${CODE_PORT}`],
  ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
  "/home/dev",
];

/** @param root of the image @param work a folder that goes afterwards */
export async function installCode(root: string, work: string, say: (line: string) => void): Promise<void> {
  const missing = TOOLS.filter((tool) => which(tool) === null);
  if (missing.length > 0) throw new Error(`needs ${missing.join(", ")}: apt-get install g++ make python3`);
  const folder = join(work, "code");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"private": true}\n');
  const platform = `node-linux-${process.arch}`;
  say(`code-server ${VERSION} from npm`);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await npm(folder, folder, ["install", ...quiet, `code-server@${VERSION}`, `${platform}@${NODE_VERSION}`]);
  const node = join(folder, "node_modules", platform);
  const editor = join(folder, "node_modules/code-server/lib/vscode");
  for (const part of [editor, join(editor, "extensions")])
    await npm(part, node, ["install", "--omit=dev", ...quiet]);
  say(`compiling ${COMPILED.join(", ")}`);
  await npm(editor, node, ["rebuild", `--nodedir=${node}`, "--loglevel=error", ...COMPILED]);

  for (const part of LEFT_OUT) await rm(join(editor, "node_modules", part), { recursive: true, force: true });
  await rm(join(editor, "extensions/copilot"), { recursive: true, force: true });
  const home = join(root, HOME);
  await mkdir(join(home, "bin"), { recursive: true });
  await cp(join(node, "bin/node"), join(home, "bin/node"));
  await rm(node, { recursive: true });
  await run(["cp", "-r", join(folder, "node_modules"), home], undefined, INSTALL_MS_MAX);
}

/** With the Node of the image first, for what is compiled and checked against it. */
async function npm(folder: string, node: string, words: readonly string[]): Promise<void> {
  const path = `${join(node, "bin")}:${process.env.PATH}`;
  await run(["env", "-C", folder, `PATH=${path}`, "npm", ...words], undefined, INSTALL_MS_MAX);
}
