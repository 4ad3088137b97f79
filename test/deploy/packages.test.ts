import { afterAll, describe, expect, test } from "bun:test";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { checkSettings } from "../../scripts/check-settings.ts";
import { makeKeys } from "../../scripts/make-keys.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { readSettings } from "../../scripts/settings.ts";
import { commitOf } from "../../system/commit.ts";
import { readConfiguration } from "../../system/configuration.ts";
import { temporaryFolder } from "../harness/servers.ts";

/** What deploy/ installs: the image, the compose file, units of systemd, the script. */

const ROOT = join(import.meta.dir, "../..");
const DEPLOY = join(ROOT, "deploy");
const text = (file: string) => readFileSync(join(DEPLOY, file), "utf8");
const run = (command: string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  return { exitCode, said: `${stdout}${stderr}` };
};

describe("the install script", () => {
  const checkout = temporaryFolder();
  const machine = temporaryFolder();
  const script = join(checkout, "deploy/install.sh");
  cpSync(DEPLOY, join(checkout, "deploy"), { recursive: true });
  // A checkout belongs to whoever made it.
  if (process.getuid?.() === 0) chownSync(join(checkout, "deploy"), 12_345, 12_345);
  // Links are copied as links: nothing large moves.
  for (const name of readdirSync(ROOT))
    if (!existsSync(join(checkout, name))) symlinkSync(join(ROOT, name), join(checkout, name));
  // As root may have it: what the services read is readable all the same.
  const install = (...words: string[]) =>
    run(["sh", "-c", 'umask 077 && exec sh "$0" "$@"', script, ...words], { ROOT: machine });
  const config = join(machine, "etc/berth/berth.conf");
  const unit = join(machine, "etc/systemd/system/berth-gateway.service");
  afterAll(() => install("--uninstall"));

  test("names what is missing, and changes nothing", () => {
    const { exitCode, said } = install("gateway");
    expect(exitCode).toBe(1);
    expect(said).toContain("nothing was changed. It lacks:\n  settings in /etc/berth/berth.conf");
    expect(readdirSync(machine)).toEqual([]);
    expect(install("gatway").exitCode).toBe(2);
  });

  test("refuses settings that a process would refuse", () => {
    mkdirSync(join(machine, "etc/berth"), { recursive: true });
    writeFileSync(config, text("berth.conf.example").replace("BERTH_PUBLIC_URL=", "BERTH_PUBLIC_URLS="));
    expect(install("gateway").said).toContain("BERTH_PUBLIC_URLS is no setting: BERTH_PUBLIC_URL is one");
  });

  test("shows its steps, takes them, takes them again, and takes them back but for settings", () => {
    writeFileSync(config, text("berth.conf.example"));
    expect(install("--dry-run", "gateway")).toMatchObject({
      exitCode: 0,
      said: expect.stringMatching(/^Would install gateway from /),
    });
    expect(existsSync(unit)).toBe(false);
    for (const _time of ["first", "second"]) {
      expect(install("gateway").exitCode).toBe(0);
      expect(readFileSync(unit, "utf8")).toBe(text("systemd/berth-gateway.service"));
      expect(existsSync(join(machine, "opt/berth/gateway/main.ts"))).toBe(true);
      expect(statSync(join(machine, "opt/berth/deploy")).uid).toBe(0);
      for (const path of ["opt/berth", "opt/berth/deploy", "etc/berth"])
        expect(statSync(join(machine, path)).mode & 0o777).toBe(0o755);
      expect(statSync(join(machine, "opt/berth/deploy/compose.yaml")).mode & 0o777).toBe(0o644);
      expect(commitOf(join(machine, "opt/berth"))).toBe(commitOf(ROOT));
      for (const file of ["berth.conf", "agent.conf"])
        expect(statSync(join(config, "..", file)).mode & 0o007).toBe(0);
    }
    expect(install("--uninstall").exitCode).toBe(0);
    expect([existsSync(unit), existsSync(join(machine, "opt/berth")), existsSync(config)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("puts other folders that it is given into the units too", () => {
    const other = temporaryFolder();
    mkdirSync(join(other, "srv/settings"), { recursive: true });
    writeFileSync(join(other, "srv/settings/berth.conf"), text("berth.conf.example"));
    const folders = { ROOT: other, PREFIX: "/srv/berth", CONFIG: "/srv/settings", UNITS: "/srv/units" };
    expect(run([script, "gateway"], folders).exitCode).toBe(0);
    const units = readdirSync(join(other, "srv/units"));
    expect(units).toHaveLength(4);
    const said = units.map((name) => readFileSync(join(other, "srv/units", name), "utf8")).join("");
    expect(said).toContain("Environment=BERTH_CONFIG=/srv/settings/berth.conf");
    expect(said).toContain("ExecStart=/srv/berth/node_modules/.bin/bun gateway/main.ts");
    expect(said).not.toMatch(/\/opt\/berth|\/etc\/berth/);
    run([script, "--uninstall"], folders);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "the install script asks for the keys that the settings of this machine name",
  () => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    const env = { PREFIX: at("opt"), CONFIG: at("etc"), UNITS: at("units") };
    mkdirSync(env.CONFIG);
    writeFileSync(join(env.CONFIG, "berth.conf"), text("berth.conf.example"));
    const { exitCode, said } = run([join(DEPLOY, "install.sh"), "gateway", "actors"], env);
    expect(exitCode).toBe(1);
    expect(said).toContain("nothing was changed");
    expect(readdirSync(folder)).toEqual(["etc"]);
    for (const file of ["nats-keys.json", "access-token.pem", "secrets.key", "control.creds"])
      expect(said.split(`/keys/${file} is not there`)).toHaveLength(2);
  },
);

test.skipIf(process.getuid?.() !== 0)(
  "a key that root adds to the folder of the processes is theirs",
  async () => {
    const folder = temporaryFolder();
    await makeKeys(() => {}, [folder]);
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
      chownSync(path, 65_534, 65_534);
    rmSync(join(folder, "control.creds"));
    await makeKeys(() => {}, [folder]);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).uid)).toEqual(
      Array(5).fill(65_534),
    );
  },
);

test.skipIf(Bun.which("systemd-analyze") === null)(
  "systemd takes the units, and gateway and actor hosts are hardened",
  () => {
    const root = temporaryFolder();
    cpSync(join(DEPLOY, "systemd"), join(root, "etc/systemd/system"), { recursive: true });
    for (const program of ["opt/berth/node_modules/.bin/bun", "bin/kill"]) {
      mkdirSync(join(root, program, ".."), { recursive: true });
      writeFileSync(join(root, program), "#!/bin/sh\n", { mode: 0o755 });
    }
    for (const target of ["sysinit", "basic", "network-online", "shutdown", "multi-user"])
      writeFileSync(
        join(root, "etc/systemd/system", `${target}.target`),
        "[Unit]\nDescription=of the machine\n",
      );
    const units = ["berth.target", "berth-gateway.service", "berth-actors@1.service", "berth-agent.service"];
    expect(run(["systemd-analyze", "verify", `--root=${root}`, "--man=no", ...units])).toEqual({
      exitCode: 0,
      said: "",
    });
    for (const unit of ["berth-gateway.service", "berth-actors@.service"]) {
      const file = join(DEPLOY, "systemd", unit);
      expect(
        run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", file]).exitCode,
      ).toBe(0);
    }
  },
);

interface Service {
  readonly image: string;
  readonly command?: string[];
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly volumes?: string[];
  readonly environment?: Record<string, string>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: { test?: string[] };
}

const compose = Bun.YAML.parse(text("compose.yaml")) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};

describe("the compose file", () => {
  const { services, volumes } = compose;

  test("starts programs that there are, with volumes that it declares, after services that it has", () => {
    for (const { command = [], image, volumes: mounts = [], depends_on = {} } of Object.values(services)) {
      if (image === "berth") expect(existsSync(join(ROOT, command[0] ?? ""))).toBe(true);
      for (const mount of mounts) {
        const [from = ""] = mount.split(":");
        expect(from.startsWith(".") ? existsSync(join(DEPLOY, from)) : from in volumes).toBe(true);
      }
      for (const name of Object.keys(depends_on)) expect(Object.keys(services)).toContain(name);
    }
  });

  test("has a cluster of three NATS servers, and nothing of Berth that can write to its root", () => {
    const routes = text("nats/nats.conf").match(/nats-\d/g);
    expect([...(routes ?? [])]).toEqual(Object.keys(services).filter((name) => /^nats-/.test(name)));
    expect(routes).toHaveLength(3);
    for (const { image, read_only } of Object.values(services))
      if (image === "berth") expect(read_only).toBe(true);
  });

  test("asks PostgreSQL over TCP: the server that its image starts to make the database listens on a socket alone", () => {
    expect(services.postgres?.healthcheck?.test?.join(" ")).toMatch(/pg_isready -h 127\.0\.0\.1 /);
  });

  test("mounts what each nats-server reads where it looks for it: a real one takes the configuration", async () => {
    const keys = temporaryFolder();
    await makeKeys(() => {}, [keys]);
    for (const [name, { volumes: mounts = [], command = [], environment }] of Object.entries(services)) {
      if (!/^nats-/.test(name)) continue;
      const root = temporaryFolder();
      for (const [from = "", to = ""] of mounts.map((mount) => mount.split(":"))) {
        mkdirSync(join(root, to, ".."), { recursive: true });
        if (from === "keys") cpSync(keys, join(root, to), { recursive: true });
        else if (from.startsWith(".")) cpSync(join(DEPLOY, from), join(root, to), { recursive: true });
      }
      const file = join(root, command[command.indexOf("-c") + 1] ?? "");
      const { exitCode, said } = run([await natsServerPath(), "-t", "-c", file], environment);
      expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining("is valid") });
    }
  });

  test("has settings that gateways and actor hosts take, and makes each key that they name", async () => {
    const example = join(DEPLOY, "berth.conf.example");
    for (const role of ["gateway", "actors"]) {
      const said: string[] = [];
      await checkSettings({}, (line) => said.push(line), [role, example]);
      expect(said.pop()).toStartWith(`the settings of ${role} are well formed`);
      // They are where the containers are.
      expect(said).toContain("NATS_URL: /keys/control.creds is not there, on this machine");
      expect(said).toContain("BERTH_SECRETS_KEY_FILE: /keys/secrets.key is not there, on this machine");
    }
    // Commands such as `berth migrate` read the same file.
    const { env } = readConfiguration("start", { BERTH_CONFIG: example });
    expect(readSettings(env).natsUrl).toMatch(/nats-1:4222,nats-2:4222,nats-3:4222/);
    const folder = temporaryFolder();
    await makeKeys(() => {}, [folder]);
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    for (const [, name = ""] of text("berth.conf.example").matchAll(/\/keys\/(\S+)/g))
      expect(readdirSync(folder)).toContain(name);
    await makeKeys(() => {}, [folder]);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(before);
  });
});

test("the image is made of folders that there are, and runs as nobody in particular", () => {
  const dockerfile = text("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  expect(copied.length).toBeGreaterThan(8);
  expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  expect(dockerfile.slice(dockerfile.lastIndexOf("\nFROM "))).toMatch(/^USER 65532:65532$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\/health\/ready/m);
});
