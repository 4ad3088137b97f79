import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeOfAccountKey, placeOfKey } from "../../schemas/hosting/certificate.ts";
import { checkStoredSecrets } from "../../scripts/doctor/stored-secrets.ts";
import { SecretBox } from "../../system/secret-box.ts";
import { setUpTotp } from "../gateway/routes/accounts/account/second-factor.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { type Stack, startStack } from "../harness/stack.ts";

/** After a change of the key of secrets: the doctor says what cannot be read any more, and what still needs the older key. */

const SERVER = "node-1";
const directory_url = "https://ca.example/directory";
const [key, later, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
let stack: Stack;
let all: string[];

beforeAll(async () => {
  const file = join(temporaryFolder(), "secrets.key");
  writeFileSync(file, key.toString("base64"), { mode: 0o600 });
  stack = await startStack({ servers: [SERVER], env: { BERTH_SECRETS_KEY_FILE: file } });
  const { user, token, projectId, create } = await tenant(stack, SERVER);
  await create("shop", { env: [{ name: "DB_PASSWORD", value: "geheim", secret: true }] });
  const body = { username: "u", password: "p" };
  const path = `/api/v1/projects/${projectId}/registry-credentials/ghcr.io`;
  expect((await stack.call("PUT", path, { token, body })).status).toBe(200);
  await setUpTotp(stack, user);
  const box = new SecretBox([key]);
  await stack.db`
    INSERT INTO acme_accounts (id, version, directory_url, sealed_key, created_at)
    VALUES ('a', 1, ${directory_url}, ${box.seal("x", placeOfAccountKey(directory_url))}, now())`;
  await stack.db`
    INSERT INTO certificates (id, version, name, purpose, sealed_key, due_at, failures, created_at, updated_at)
    VALUES ('c', 1, 'api.example', 'gateway', ${box.seal("x", placeOfKey("api.example"))}, now() + interval '1 day', 0, now(), now())`;
  all = [
    "DB_PASSWORD of the container shop",
    "the password for ghcr.io of the project web",
    `the second factor of ${user.username}`,
    "the key of the certificate api.example",
    `the key of the account at ${directory_url}`,
  ];
});
afterAll(() => stack?.stop());

const found = (...keys: readonly [Buffer, ...Buffer[]]) => checkStoredSecrets(stack.db, new SecretBox(keys));

test("the key that encrypted everything opens it", async () => {
  expect(await found(key)).toMatchObject({ state: "ok", found: "the first key opens all 5" });
});

test("what an older key is still needed for is named, and so is what no key opens", async () => {
  expect(await found(later, key)).toMatchObject({
    state: "ok",
    found: `an older key is still needed for 5: ${all.join(", ")}`,
  });
  expect(await found(foreign)).toMatchObject({
    state: "fault",
    found: `no key of BERTH_SECRETS_KEY_FILE opens 5 of 5: ${all.join(", ")}`,
    remedy: expect.stringContaining("put the former key back"),
  });
});
