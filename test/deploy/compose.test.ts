import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { callAt } from "../harness/stack-client.ts";
import { until } from "../harness/until.ts";
import { type ComposeFile, readComposeFile } from "./compose/compose-file.ts";
import { type Composition, compose } from "./compose/composition.ts";
import { makeImages } from "./compose/images.ts";

/**
 * `deploy/compose.yaml`, with the files that its first lines make: each service is started with its own image, command, environment, user,
 * root and mounts, after what it depends on.
 */

const DEPLOY = join(import.meta.dir, "../../deploy");
const missing = lacks("root", "crun", "ip", "nft", "unshare", "nsenter", "busybox");
const PASSWORD = "of-the-database";

let file: ComposeFile;
let composition: Composition;
beforeAll(async () => {
  if (missing) return;
  const folder = temporaryFolder();
  cpSync(DEPLOY, folder, { recursive: true });
  writeFileSync(join(folder, "postgres.password"), PASSWORD);
  const settings = readFileSync(join(DEPLOY, "berth.conf.example"), "utf8");
  writeFileSync(join(folder, "berth.conf"), settings.replace("PASSWORD", PASSWORD));
  file = readComposeFile(readFileSync(join(folder, "compose.yaml"), "utf8"));
  composition = await compose(file, folder, await makeImages(temporaryFolder()));
});
afterAll(() => composition?.end());

const gateway = () => `http://${composition.address("gateway")}:3000`;
const signUp = (username: string) =>
  callAt(gateway(), "POST", "/api/v1/auth/signup", {
    body: { username, email: `${username}@example.com`, password: "correct horse battery" },
    headers: { "idempotency-key": `sign-up-of-${username}` },
  });

test.skipIf(missing)(
  "every service starts on empty volumes and is healthy, and a user signs up",
  async () => {
    await Promise.all(Object.keys(file.services).map((name) => composition.start(name)));
    const checked = Object.keys(file.services).filter(
      (name) => !file.services[name]?.healthcheck?.disable && file.services[name]?.restart !== "no",
    );
    expect(checked.toSorted()).toEqual(
      ["actors-1", "actors-2", "gateway", "nats-1", "nats-2", "nats-3", "postgres"].toSorted(),
    );
    await Promise.all(checked.map((name) => composition.healthy(name)));
    expect(await until(() => signUp("ada"))).toMatchObject({ status: 201 });
  },
  240_000,
);

test.skipIf(missing)(
  "what is Berth's runs as a user without rights, on a root that it cannot write",
  async () => {
    const written = ["/opt/berth/written", "/written", "/keys/written"];
    const tries = written.map((path) => `touch ${path} 2>&1 || true`).join("; ");
    for (const name of ["gateway", "actors-1"]) {
      const said = await composition.exec(name, [
        ...["/bin/sh", "-c"],
        `id -u; ${tries}; touch /tmp/written; grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs):' /proc/1/status`,
      ]);
      expect(said).toStartWith("65532\n");
      for (const path of written) expect(said).toContain(`cannot touch '${path}': Read-only file system`);
      expect(said).toMatch(/^Uid:(\s+65532){4}$/m);
      expect(said).toMatch(/^CapEff:\s+0+$/m);
      expect(said).toMatch(/^CapBnd:\s+0+$/m);
      expect(said).toMatch(/^NoNewPrivs:\s+1$/m);
    }
  },
);

test.skipIf(missing)(
  "a service that is started again is healthy on the volumes that it had",
  async () => {
    for (const name of ["nats-2", "actors-1", "gateway"]) {
      await composition.stop(name);
      await composition.start(name);
      await composition.healthy(name);
    }
    expect(await until(() => signUp("grace"))).toMatchObject({ status: 201 });
    expect(await signUp("ada")).toMatchObject({ status: 201 });
  },
  240_000,
);
