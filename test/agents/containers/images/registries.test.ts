import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endpointsOf } from "../../../../agents/containers/images/registries.ts";
import { readSettings } from "../../../../agents/settings.ts";
import { SettingError } from "../../../../system/setting-error.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

const REQUIRED = { NATS_URL: "nats://a:b@127.0.0.1:1", BERTH_SERVER_NAME: "node-1", BERTH_DATA: "x" };
const registriesOf = (env: Readonly<Record<string, string>>) =>
  readSettings({ ...REQUIRED, ...env }).registries;

test("mirrors come before their registry, each with its own credentials; only what the operator named is trusted", async () => {
  const file = join(temporaryFolder(), "config.json");
  const auth = (name: string) => ({ auth: Buffer.from(`${name}:pass:word`).toString("base64") });
  const auths = {
    "https://index.docker.io/v1/": auth("hub"),
    "mirror.lan:5000": auth("mirror"),
    "registry.example": {},
  };
  writeFileSync(file, JSON.stringify({ auths, credsStore: "desktop" }));
  const settings = registriesOf({
    BERTH_LOCAL_REGISTRIES: "http://registry.lan:5000,https://other.lan",
    BERTH_REGISTRY_MIRRORS: "docker.io=http://mirror.lan:5000,docker.io=https://second.lan/cache",
    BERTH_REGISTRY_CREDENTIALS: file,
  });
  const of = async (registry: string) =>
    (await endpointsOf(registry, settings)).map(({ url, isTrusted, credentials }) => [
      url.href,
      isTrusted,
      credentials?.username,
    ]);
  expect(await of("docker.io")).toEqual([
    ["http://mirror.lan:5000/", true, "mirror"],
    ["https://second.lan/cache", true, undefined],
    ["https://registry-1.docker.io/", false, "hub"],
  ]);
  expect(await of("registry.lan:5000")).toEqual([["http://registry.lan:5000/", true, undefined]]);
  expect(await of("registry.example")).toEqual([["https://registry.example/", false, undefined]]);
  const [hub] = (await endpointsOf("docker.io", { ...settings, mirrors: new Map() })).map(
    ({ credentials }) => credentials,
  );
  expect(hub?.password).toBe("pass:word");
});

test("credentials that cannot be read are told without a word of them", async () => {
  const file = join(temporaryFolder(), "config.json");
  const settings = registriesOf({ BERTH_REGISTRY_CREDENTIALS: file });
  for (const text of ["{secret", '{"auths": "secret"}']) {
    writeFileSync(file, text);
    const reason = await endpointsOf("docker.io", settings).catch(({ message }: Error) => message);
    expect(reason).toStartWith("the host's file of registry credentials");
    expect(reason).not.toContain("secret");
  }
});

test.each([
  ["BERTH_LOCAL_REGISTRIES", "registry.lan:5000"],
  ["BERTH_LOCAL_REGISTRIES", "ftp://registry.lan"],
  ["BERTH_LOCAL_REGISTRIES", "https://user@registry.lan"],
  ["BERTH_REGISTRY_MIRRORS", "https://mirror.lan"],
  ["BERTH_REGISTRY_MIRRORS", "docker.io=mirror.lan"],
])("%s=%s is refused by its name", (name, value) => {
  expect(() => registriesOf({ [name]: value })).toThrow(SettingError);
  expect(() => registriesOf({ [name]: value })).toThrow(name);
});
