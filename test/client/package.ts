import { cpSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../harness/servers.ts";

const ROOT = join(import.meta.dir, "../..");
const CLIENT = join(ROOT, "client");
const MODULES = join(ROOT, "node_modules");

/** An empty project into which npm has installed the package as npm would publish it. @returns its folder */
export async function installedClient(): Promise<string> {
  const [staging, project] = [temporaryFolder(), temporaryFolder()];
  for (const name of ["package.json", "README.md"]) cpSync(join(CLIENT, name), join(staging, name));
  const config = join(CLIENT, "tsconfig.build.json");
  await run(ROOT, join(MODULES, ".bin/tsc"), "-p", config, "--outDir", join(staging, "dist"));
  const packed = await run(
    staging,
    "npm",
    "pack",
    "--ignore-scripts",
    "--silent",
    "--pack-destination",
    project,
  );
  await run(project, "npm", "init", "--yes", "--silent");
  await run(project, "npm", "pkg", "set", "type=module");
  // What the package needs comes from here instead of the registry.
  const needed = ["openapi-fetch", "openapi-typescript-helpers"].map((name) => join(MODULES, name));
  const quiet = ["--offline", "--no-audit", "--no-fund", "--silent", "--install-links"];
  await run(project, "npm", "install", ...quiet, join(project, packed.trim()), ...needed);
  return project;
}

/** Runs a program. @returns its output @throws with all that it wrote, where it fails */
async function run(cwd: string, ...argv: string[]): Promise<string> {
  const child = Bun.spawn(argv, { cwd, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${child.exitCode}\n${out}${err}`);
  return out;
}

/** Checks a file of a project as a strict program of its own. */
export const checkTypes = (project: string, ...files: string[]): Promise<string> =>
  run(
    project,
    join(MODULES, ".bin/tsc"),
    ...[
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--lib",
      "es2023,dom,dom.asynciterable",
    ],
    ...files,
  );
