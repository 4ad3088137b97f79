import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Beside package.json where the history is not there: the install script and the image write it. */
const COMMIT_FILE = "COMMIT";
const COMMIT = /^[0-9a-f]{40}$/;

const read = (...path: string[]): string => readFileSync(join(...path), "utf8").trim();

/** The commit that a folder has: of its file, or of the repository that it is a checkout of. Undefined: nobody says. */
export function commitOf(folder: string): string | undefined {
  for (const find of [() => read(folder, COMMIT_FILE), () => checkedOut(folder)]) {
    try {
      const commit = find();
      if (COMMIT.test(commit)) return commit;
    } catch {
      // It is not there.
    }
  }
  return undefined;
}

/** Without git, which may be absent, and refuses the checkouts of other users. */
function checkedOut(folder: string): string {
  const repository = repositoryOf(folder);
  const head = read(repository, "HEAD");
  if (!head.startsWith("ref: ")) return head;
  const ref = head.slice("ref: ".length);
  // Worktrees share the branches of the first one.
  const shared = orElse(() => resolve(repository, read(repository, "commondir")), repository);
  return orElse(() => read(shared, ref), "") || packedRef(shared, ref);
}

function packedRef(repository: string, ref: string): string {
  const line = read(repository, "packed-refs")
    .split("\n")
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ", 1)[0] ?? "";
}

function repositoryOf(folder: string): string {
  const path = join(folder, ".git");
  return orElse(() => resolve(folder, read(path).replace("gitdir: ", "")), path);
}

function orElse(attempt: () => string, otherwise: string): string {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}
