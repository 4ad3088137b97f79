import { existsSync } from "node:fs";
import { join } from "node:path";
import { missingPrerequisite } from "../agents/containers/prerequisites.ts";
import { readConfiguration } from "../system/configuration.ts";
import { ensureSubreaper } from "../system/first-process.ts";
import { ResourceInUseError } from "../system/instance-lock.ts";
import { SettingError } from "../system/setting-error.ts";
import { startFailure } from "../system/start-failure.ts";
import { bundleOf, bundlesFolder, type Program } from "./bundles.ts";
import { followHangups } from "./hangup.ts";
import { ensureHostTools, natsServerPath } from "./provision.ts";
import { markPasswordsPrinted, secretsFile } from "./secrets.ts";
import { readSettings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";
import { type Started, Supervisor } from "./supervisor/supervisor.ts";

/** `npm start`: everything on this machine, until Ctrl-C. */

const ROOT = join(import.meta.dir, "..");

/** One Ctrl-C arrives several times: from the terminal, and passed on by npm and by the bootstrap. */
const ONE_REQUEST_MS = 1_000;

const PARENT_POLL_MS = 500;

/** For what the end of the process comes before. */
const NEVER = new Promise<never>(() => undefined);

/** The console is built before, and a person's first page comes before that. */
const COMPILE_AFTER_MS = 15_000;

const say = (line: string) => console.log(`berth: ${line}`);

const bun = (file: string) => [process.execPath, join(ROOT, file)];

/** Where the programs are compiled already, unless a source has changed since. */
const bundles = bundlesFolder(ROOT);
const isBundled = existsSync(bundles);
const compiled = (program: Program) =>
  isBundled ? [process.execPath, bundleOf(bundles, program)] : bun(program);

const bootstrap = Number(process.env.BERTH_BOOTSTRAP_PID);
// The process that becomes the reaper keeps its id, and the program below it watches that process in turn.
ensureSubreaper({ env: { BERTH_BOOTSTRAP_PID: String(process.pid) }, tied: process.ppid === bootstrap });
try {
  await main();
} catch (error) {
  const isPlain =
    error instanceof SetupError || error instanceof SettingError || error instanceof ResourceInUseError;
  console.error(`berth: ${isPlain ? error.message : (startFailure(error) ?? Bun.inspect(error))}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { env, warnings } = readConfiguration("start", process.env, process.argv.slice(2));
  for (const warning of warnings) say(warning);
  // The processes get what the file adds, as far as it is theirs.
  Object.assign(process.env, env);
  const settings = readSettings(env);
  const supervisor = new Supervisor({
    settings,
    commands: {
      actors: compiled("actors/main.ts"),
      gateway: compiled("gateway/main.ts"),
      agent: compiled("agents/main.ts"),
      join: bun("scripts/join-own-host.ts"),
      seed: bun("scripts/seed.ts"),
    },
    cwd: ROOT,
    natsServer: () => natsServerPath({ say }),
    hostTools: () => ensureHostTools({ say }),
    say,
  });
  const signals = stopOnSignals(supervisor);
  // What an interrupted start was waiting for fails in many ways; the handler that interrupted it ends the process.
  process.on("unhandledRejection", (error) => {
    if (!signals.isStopping()) throw error;
  });
  const started = await supervisor.start().catch((error) => {
    if (signals.isStopping()) return NEVER;
    throw error;
  });
  announce(started, settings.data);
  markPasswordsPrinted(settings.data);
  if (!isBundled)
    setTimeout(compileForNextStart, COMPILE_AFTER_MS, join(settings.data, "logs", "compile.log"));
}

/** Stops on the first signal and ends at once on the second. */
function stopOnSignals(supervisor: Supervisor): { isStopping(): boolean } {
  let since: number | undefined;
  const onSignal = async () => {
    if (since !== undefined) {
      if (performance.now() - since < ONE_REQUEST_MS) return;
      say("ending everything at once");
      supervisor.kill();
      process.exit(1);
    }
    since = performance.now();
    say("stopping (once more to force it)");
    await supervisor.stop();
    say("stopped");
    process.exit(0);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  followHangups({
    onClosed: () => void onSignal(),
    onReload: () => {
      supervisor.reload();
      say("the processes read their log level again");
    },
  });
  // The bootstrap may have been killed, and then no process waits for this one any more.
  if (process.ppid === bootstrap) {
    const timer = setInterval(() => {
      if (process.ppid === bootstrap) return;
      clearInterval(timer);
      void onSignal();
    }, PARENT_POLL_MS);
  }
  return { isStopping: () => since !== undefined };
}

/** Compiles the programs, in some seconds of what is left of the processors. A start that finds none compiled takes the sources. */
function compileForNextStart(log: string): void {
  const child = Bun.spawn(["nice", ...bun("scripts/compile.ts")], {
    cwd: ROOT,
    stdio: ["ignore", Bun.file(log), Bun.file(log)],
  });
  process.on("exit", () => child.kill());
}

function announce(started: Started, data: string): void {
  const missing = process.env.BERTH_DRIVER === "process" ? "BERTH_DRIVER=process" : missingPrerequisite();
  if (missing !== null)
    say(`containers are plain processes here, without isolation, limits and firewalls: ${missing}`);
  for (const { name, password, generated } of started.users) {
    // A generated password is printed once; afterwards it is in its file.
    const kept = started.arePasswordsUnprinted ? password : `is in ${secretsFile(data)}`;
    say(`user ${name}, password ${generated ? kept : "as set"}`);
  }
  const { demoLink } = started;
  if (demoLink !== undefined && "failure" in demoLink)
    say(`no link to a shell in the demo's container: ${demoLink.failure}; examples/shell.sh gives one`);
  else if (demoLink !== undefined) {
    say(
      `certificates are signed by an authority of this machine, ${join(data, "agent/edge/tls/ca.pem")}: trust it, or accept the browser's warning`,
    );
    say(
      `a shell in the container ${demoLink.container} (for ${demoLink.minutes} minutes; examples/shell.sh gives another link):`,
    );
    say(demoLink.terminal);
  }
  say(`metrics of ${started.metrics.map(({ name, url }) => `${name}: ${url}`).join(", ")}`);
  console.log(`ready  ${started.url}  (API page: ${started.url}/openapi)`);
}
