import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "../../agents/requirements.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";

/** A sign-in is kept in a real key ring, which gives it again; where the ring is away or locked, in a file of the user's alone. */

const MAIN = join(import.meta.dir, "../../../client/cli/main.ts");
/** Nothing is started by asking for it: the key ring is there when the test has started it. */
const BUS =
  "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context='default'><allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy></busconfig>";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack?.stop());

/** A person's session on a machine: a message bus and a home of its own. */
async function desktop() {
  const home = temporaryFolder();
  const config = join(home, "bus.conf");
  writeFileSync(config, BUS);
  const runtime = join(home, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const own = { ...CLEAN_ENVIRONMENT, HOME: home, XDG_RUNTIME_DIR: runtime, BERTH_URL: stack.url };
  const bus = Bun.spawn(
    ["dbus-run-session", `--config-file=${config}`, "--", "sh", "-c", "echo $DBUS_SESSION_BUS_ADDRESS; cat"],
    { env: own, stdin: "pipe", stdout: "pipe", stderr: "ignore" },
  );
  const { value } = await bus.stdout.getReader().read();
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: new TextDecoder().decode(value).trim() };
  const run = async (argv: readonly string[], input = "") => {
    const child = Bun.spawn([...argv], { env, stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { status: await child.exited, out, err };
  };
  return {
    credentials: join(home, ".config/berth/credentials.json"),
    run,
    berth: (line: string, input?: string) => run([process.execPath, MAIN, ...line.split(" ")], input),
    async ring(isUnlocked: boolean) {
      const words = ["--foreground", "--components=secrets", ...(isUnlocked ? ["--unlock"] : [])];
      const daemon = Bun.spawn(["gnome-keyring-daemon", ...words], {
        env,
        stdin: new Blob(["password of the ring"]),
        stdout: "ignore",
        stderr: "ignore",
      });
      const find = ["secret-tool", "search", "service", "nothing"];
      await until(async () => !/ServiceUnknown|not provided/.test((await run(find)).err));
      return async () => {
        daemon.kill();
        await daemon.exited;
      };
    },
    async end() {
      bus.stdin.end();
      await bus.exited;
    },
  };
}

test.skipIf(lacks("linux", "dbus-run-session", "gnome-keyring-daemon", "secret-tool"))(
  "a sign-in is in the key ring; without one, or with one that is locked, in a file, which is said once",
  async () => {
    const { berth, run, ring, credentials, end } = await desktop();
    const login = () => berth(`login -u ${user.username} --password-stdin`, user.password);
    const kept = () => readFileSync(credentials, "utf8");
    const inFile = `${credentials}, which only you can read: the system's key ring is locked or there is none.\n`;
    try {
      expect((await login()).out).toEndWith(inFile);
      expect([statSync(credentials).mode & 0o777, kept()]).toEqual([
        0o600,
        expect.stringContaining("refresh_token"),
      ]);
      expect(await berth("whoami")).toMatchObject({ status: 0, err: "" });

      const stop = await ring(true);
      expect((await login()).out).toEndWith("The credential is in the system's key ring.\n");
      expect(kept()).not.toContain("token");
      const words = ["lookup", "service", "berth", "account", new URL(stack.url).host];
      expect((await run(["secret-tool", ...words])).out).toContain("refresh_token");
      expect(await berth("whoami")).toMatchObject({ status: 0, err: "" });
      await stop();

      const stopLocked = await ring(false);
      expect(await berth("whoami")).toMatchObject({ status: 3, err: expect.stringContaining("unlock it") });
      expect((await login()).out).toEndWith(inFile);
      expect(await berth("whoami")).toMatchObject({ status: 0, err: "" });
      await berth("logout");
      expect(kept()).not.toContain("token");
      await stopLocked();
    } finally {
      await end();
    }
  },
);
