import { afterAll, beforeAll, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { natsServerPath } from "../../scripts/provision.ts";
import { postgresBinaries } from "../../scripts/servers/postgres-binaries.ts";
import { until } from "../harness/until.ts";
import { type BootedMachine, bootMachine, lacksMachine } from "./machine/booted-machine.ts";

/** `deploy/install.sh` and its units on a machine with systemd, step by step as docs/operations.md has them. */

const ROOT = join(import.meta.dir, "../..");
/** Each look starts processes. */
const LOOK_MS = 250;
const PASSWORD = "correct horse battery";
const BERTH = "cd /opt/berth && node_modules/.bin/bun scripts/berth.ts";
const BERTH_WITH_SETTINGS = BERTH.replace("&& ", "&& BERTH_CONFIG=/etc/berth/berth.conf ");
/** Of an operator's own: no matter of Berth's units. */
const SERVERS = `
useradd --system database
cat > /etc/systemd/system/postgresql.service <<'END'
[Service]
User=database
StateDirectory=database
ExecStartPre=/opt/postgresql/bin/initdb --no-sync -D /var/lib/database/data -U berth -A trust
ExecStart=/opt/postgresql/bin/postgres -D /var/lib/database/data -c fsync=off -k ""
END
cat > /etc/nats.conf <<'END'
listen: "127.0.0.1:4222"
max_payload: 4MB
jetstream { store_dir: "/var/lib/nats" }
include berth/keys/operator.conf
END
cat > /etc/systemd/system/nats.service <<'END'
[Service]
StateDirectory=nats
ExecStart=/opt/nats/nats-server -c /etc/nats.conf
END
systemctl start postgresql nats
`;
const SETTINGS = `
sed -e 's|^DATABASE_URL=.*|DATABASE_URL=postgres://berth@127.0.0.1/postgres|' \\
  -e 's|^NATS_URL=.*|NATS_URL=nats://127.0.0.1:4222?creds=/etc/berth/keys/control.creds|' \\
  -e 's|^BERTH_NATS_REPLICAS=.*||' -e 's|^BERTH_DRAIN_SECONDS=.*||' -e 's|=/keys/|=/etc/berth/keys/|' \\
  /opt/berth/deploy/berth.conf.example > /etc/berth/berth.conf
`;

const missing = (await lacksMachine()) !== undefined;
let machine: BootedMachine;
beforeAll(async () => {
  if (missing) return;
  machine = await bootMachine({
    "/opt/berth": ROOT,
    "/opt/postgresql": join(dirname(postgresBinaries(undefined).postgres), ".."),
    "/opt/nats": dirname(await natsServerPath()),
  });
  await machine.shell(`${BERTH} keys make /etc/berth/keys`);
  await machine.shell(SETTINGS + SERVERS);
});
afterAll(() => machine?.stop());

const curl = (...words: string[]) =>
  machine.run("curl", "-sS", "--fail-with-body", "--max-time", "10", ...words);
const post = async (path: string, body: object, ...words: string[]) =>
  JSON.parse(
    await curl(
      ...["-H", "content-type: application/json", "-d", JSON.stringify(body), ...words],
      `http://127.0.0.1:3000/api/v1${path}`,
    ),
  );
const property = async (unit: string, name: string) =>
  (await machine.run("systemctl", "show", unit, "--property", name, "--value")).trim();
const isReady = async () => (await curl("http://127.0.0.1:3000/health/ready")) !== "";
/** May be repeated: under one key an account is made once. */
const signUp = (username: string) =>
  post(
    "/auth/signup",
    { username, email: `${username}@example.com`, password: PASSWORD },
    ...["-H", `idempotency-key: sign-up-of-${username}`],
  );

/** Waits for a condition. What the services wrote goes with the failure. */
const eventually = async <T>(condition: () => Promise<T>) =>
  until(condition, { everyMs: LOOK_MS }).catch(async (cause) => {
    throw new Error(await machine.run("journalctl", "--no-pager", "--lines=100", "--unit=berth-*"), {
      cause,
    });
  });

test.skipIf(missing)("an operator installs the services and starts them, and users sign up", async () => {
  const said = await machine.run("/opt/berth/deploy/install.sh", "gateway", "actors", "agent");
  expect(said).toContain("systemctl enable --now berth.target berth-gateway\n");
  await machine.run("systemctl", "enable", "--now", "berth.target", "berth-gateway", "berth-actors@1");
  await eventually(isReady);
  expect((await eventually(() => signUp("ada"))).data.access_token).toBeString();
  for (const port of [9310, 9311])
    expect(await curl(`http://127.0.0.1:${port}/health/ready`)).toBe("ready\n");
  for (const unit of ["berth-gateway", "berth-actors@1"]) {
    expect(await property(unit, "User")).toBe("berth");
    // What it needs may be away for hours.
    expect(await property(unit, "StartLimitIntervalUSec")).toBe("0");
    const status = await machine.run("systemctl", "status", "--no-pager", "--full", unit);
    expect(status).toMatch(/Active: active \(running\)/);
    expect(await machine.run("journalctl", "--no-pager", "--output=cat", "--unit", unit)).toContain(
      '"msg":"ready"',
    );
  }
});

test.skipIf(missing)(
  "a service writes nowhere but into folders of its own, and may nothing else",
  async () => {
    // An instance of the unit that does something else. A dash: what fails does not end it.
    await machine.shell(`
    mkdir -p /etc/systemd/system/berth-actors@8.service.d
    cat > /etc/systemd/system/berth-actors@8.service.d/probe.conf <<'END'
[Service]
Type=oneshot
Restart=no
ExecStart=
ExecStart=-/usr/bin/touch /opt/berth/written
ExecStart=-/usr/bin/touch /etc/berth/written
ExecStart=-/usr/bin/touch /var/lib/written
ExecStart=-/usr/bin/touch /tmp/written
ExecStart=-/usr/bin/cat /var/lib/berth-not-its-own
ExecStart=-/usr/bin/ls /home
ExecStart=-/usr/bin/unshare --user true
ExecStart=-/usr/bin/nice -n -5 true
ExecStart=-/usr/bin/grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status
END
    echo secret > /var/lib/berth-not-its-own
    chmod 600 /var/lib/berth-not-its-own
    systemctl daemon-reload
    systemctl start berth-actors@8`);
    const said = await machine.run("journalctl", "--no-pager", "--output=cat", "--unit=berth-actors@8");
    for (const file of ["/opt/berth/written", "/etc/berth/written", "/var/lib/written"])
      expect(said).toContain(`cannot touch '${file}': Read-only file system`);
    expect(said).not.toContain("'/tmp/written'");
    expect(await machine.shell("ls /tmp")).not.toContain("written");
    expect(said).toContain("/var/lib/berth-not-its-own: Permission denied");
    expect(said).toContain("cannot open directory '/home': Permission denied");
    expect(said).toContain("unshare failed: Operation not permitted");
    expect(said).toMatch(/^CapEff:\s+0+$/m);
    expect(said).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(said).toMatch(/^Seccomp:\s+2$/m);
  },
);

test.skipIf(missing)("a restarted service is another process, and serves on", async () => {
  const former = await property("berth-gateway", "MainPID");
  await machine.run("systemctl", "restart", "berth-gateway");
  await eventually(isReady);
  expect(await property("berth-gateway", "MainPID")).not.toBe(former);
  expect((await signUp("grace")).data.user.username).toBe("grace");
  const killed = await property("berth-actors@1", "MainPID");
  await machine.run("kill", "-KILL", killed);
  await eventually(async () => ![killed, "0"].includes(await property("berth-actors@1", "MainPID")));
  expect((await eventually(() => signUp("edsger"))).data.user.username).toBe("edsger");
});

test.skipIf(missing)("a machine joins, and its agent starts", async () => {
  await machine.shell(`${BERTH_WITH_SETTINGS} admin promote ada`);
  const { data } = await post("/auth/login", { username: "ada", password: PASSWORD });
  const authorization = `authorization: Bearer ${data.access_token}`;
  const { data: host } = await post("/admin/hosts", { name: "node-1" }, "-H", authorization);
  await machine.shell(`${BERTH} agent join http://127.0.0.1:3000 ${host.token}`);
  await machine.run("systemctl", "enable", "--now", "berth-agent");
  const { data: joined } = await eventually(async () => {
    const found = JSON.parse(
      await curl("-H", authorization, `http://127.0.0.1:3000/api/v1/admin/hosts/${host.id}`),
    );
    return found.data.status === "online" && found;
  });
  expect(joined.facts.driver).toBe("oci");
  // The target has all that was enabled.
  await machine.run("systemctl", "stop", "berth.target");
  for (const unit of ["berth-gateway", "berth-actors@1", "berth-agent"])
    await eventually(async () => (await property(unit, "ActiveState")) === "inactive");
});

test.skipIf(missing)("the services are removed; settings, keys and data stay", async () => {
  // The checkout of this machine is where it is installed to.
  await machine.run("mount", "--bind", "/opt/berth", "/mnt");
  await machine.run("env", "PREFIX=/opt/nothing", "/mnt/deploy/install.sh", "--uninstall");
  expect(await machine.shell("ls /etc/systemd/system | grep berth || true")).toBe(
    "berth-actors@8.service.d\n",
  );
  expect((await machine.run("ls", "/etc/berth")).split("\n")).toEqual(
    expect.arrayContaining(["agent.conf", "berth.conf", "keys"]),
  );
});
