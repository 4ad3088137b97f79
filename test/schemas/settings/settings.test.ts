import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings as readActors } from "../../../actors/platform/settings.ts";
import { readSettings as readAgent } from "../../../agents/settings.ts";
import { readGatewaySettings } from "../../../gateway/settings.ts";
import { SETTING_NAMES, SETTINGS, settingsOf } from "../../../schemas/settings/index.ts";
import type { Role, Setting } from "../../../schemas/settings/setting.ts";
import { readSettings as readStart } from "../../../scripts/settings.ts";
import { readConfiguration } from "../../../system/configuration.ts";
import { readLogLevel } from "../../../system/log.ts";
import { readTracingSettings } from "../../../system/tracing/tracing.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { makeSettingsPage, SETTINGS_FILE } from "./reference.ts";

type Env = Record<string, string | undefined>;

/** With what every process reads at its start. */
const inMain = (read: (env: Env) => unknown) => (env: Env) => [
  read(env),
  readLogLevel(env),
  readTracingSettings(env),
];

/** A mail server, with what it needs. */
const MAIL: Env = {
  BERTH_SMTP_URL: "smtp://a",
  BERTH_MAIL_FROM: "a@b.example",
  BERTH_PUBLIC_URL: "https://a",
};

/** Each process with what it cannot start without, and with choices that need further settings. */
const READERS: Partial<Record<Role, { read: (env: Env) => unknown; base: Env; choices: Env[] }>> = {
  gateway: {
    read: inMain(readGatewaySettings),
    base: { DATABASE_URL: "postgres://a@b/c", NATS_URL: "nats://a", BERTH_SIGNING_KEY_FILE: "/key" },
    choices: [
      { BERTH_METRICS_PORT: "9000" },
      { BERTH_TLS_PORT: "443", BERTH_ACME_URL: "https://a/directory" },
      { BERTH_AI_PROVIDER: "sandbox" },
      { BERTH_AI_PROVIDER: "openrouter", BERTH_OPENROUTER_PROVISIONING_KEY: "k" },
      { BERTH_CODEHOST_CLIENT_ID: "a", BERTH_CODEHOST_CLIENT_SECRET: "b" },
      { BERTH_CARDPAY_PROVIDER: "stripe", BERTH_STRIPE_SECRET_KEY: "k", BERTH_CARDPAY_WEBHOOK_SECRETS: "s" },
      {
        ...{
          BERTH_CRYPTOPAY_PROVIDER: "btcpay",
          BERTH_CRYPTOPAY_WEBHOOK_SECRETS: "s",
          BERTH_BTCPAY_URL: "https://a",
        },
        ...{ BERTH_BTCPAY_API_KEY: "k", BERTH_BTCPAY_STORE_ID: "i" },
      },
    ],
  },
  actors: {
    read: inMain(readActors),
    base: { DATABASE_URL: "postgres://a@b/c", NATS_URL: "nats://a" },
    choices: [
      { BERTH_METRICS_PORT: "9000" },
      { BERTH_ACME_URL: "https://a/directory", BERTH_ACME_TERMS_AGREED: "yes" },
      { BERTH_AI_PROVIDER: "sandbox" },
      { BERTH_AI_PROVIDER: "openrouter", BERTH_OPENROUTER_PROVISIONING_KEY: "k" },
      MAIL,
    ],
  },
  agent: {
    read: inMain(readAgent),
    base: { NATS_URL: "nats://a", BERTH_SERVER_NAME: "node-1", BERTH_DATA: "/data" },
    choices: [{ BERTH_METRICS_PORT: "9000" }],
  },
  start: { read: readStart, base: {}, choices: [] },
};

/** Read before the settings are, or by another program of the role. */
const READ_ELSEWHERE = ["BERTH_CONFIG"];

/** The names that a reader asks an environment for. */
function askedFor(read: (env: Env) => unknown, env: Env): Set<string> {
  const names = new Set<string>();
  read(
    new Proxy(env, {
      get(target, name) {
        names.add(String(name));
        return target[String(name)];
      },
    }),
  );
  return names;
}

/** Settings with functions in them are compared without these. */
const plain = (value: unknown) =>
  JSON.stringify(value, (_key, part) =>
    typeof part === "bigint" ? `${part}n` : part instanceof Map || part instanceof Set ? [...part] : part,
  );

describe.each(Object.entries(READERS))("the settings of %s", (name, { read, base, choices }) => {
  const role = name as Role;
  const settings = settingsOf(role);

  test("are those that it reads, and no others", () => {
    const asked = new Set(
      [base, ...choices.map((choice) => ({ ...base, ...choice }))].flatMap((env) => [...askedFor(read, env)]),
    );
    const listed = settings.map(({ name }) => name).filter((name) => !READ_ELSEWHERE.includes(name));
    expect([...asked].toSorted()).toEqual(listed.toSorted());
  });

  test("have the defaults that are listed", () => {
    const unset = plain(read(base));
    for (const { name, standard } of settings)
      if (standard !== undefined && base[name] === undefined)
        expect([name, plain(read({ ...base, [name]: standard }))]).toEqual([
          name,
          // A limit that is set, even to its default, is also the most that a container may ask for.
          unset,
        ]);
  });

  test("have the bounds that are listed", () => {
    for (const { name, type } of settings.filter(({ type }) => type.minimum !== undefined)) {
      const step = type.type === "integer" ? 1 : 0.01;
      const takes = (value: number) => {
        const env = { ...base, [name]: String(value) };
        const isChecked = isTaken(() => readConfiguration(role, env));
        const isRead = isTaken(() => read({ ...env, ...PARTNERS[name] }));
        expect([name, value, isRead]).toEqual([name, value, isChecked]);
        return isChecked;
      };
      const { minimum, maximum } = type as unknown as { minimum: number; maximum: number };
      expect([name, takes(minimum), takes(maximum), takes(maximum + step)]).toEqual([
        name,
        true,
        true,
        false,
      ]);
      if (minimum > 0) expect([name, takes(minimum - step)]).toEqual([name, false]);
    }
  });
});

/** What a setting needs beside it: a least may not be above its most, and some are read with others alone. */
const PARTNERS: Record<string, Env> = {
  BERTH_MAIL_TIMEOUT_MS: MAIL,
  BERTH_MAIL_FIRST_RETRY_MS: MAIL,
  BERTH_MAIL_GIVE_UP_SECONDS: MAIL,
  BERTH_TLS_PORT: { BERTH_ACME_URL: "https://a/directory" },
  BERTH_KEEP_DELIVERIES_HOURS: { BERTH_KEEP_EFFECTS_HOURS: "1" },
  BERTH_AI_SANDBOX_CENTS_PER_HOUR: { BERTH_AI_PROVIDER: "sandbox" },
  BERTH_CARDPAY_MIN_USD: { BERTH_CARDPAY_MAX_USD: "999999.99" },
  BERTH_CARDPAY_MAX_USD: { BERTH_CARDPAY_MIN_USD: "0.5" },
  BERTH_CRYPTOPAY_MIN_USD: { BERTH_CRYPTOPAY_MAX_USD: "999999.99" },
  BERTH_CRYPTOPAY_MAX_USD: { BERTH_CRYPTOPAY_MIN_USD: "0.5" },
};

function isTaken(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

test("words that are listed are taken, and no other", () => {
  for (const setting of Object.values(SETTINGS).flat() as readonly Setting[]) {
    const role = setting.roles[0] as Role;
    for (const word of (setting.type.anyOf ?? []) as { const: string }[])
      expect(readConfiguration(role, { [setting.name]: word.const }).env[setting.name]).toBe(word.const);
    if (setting.type.anyOf)
      expect(() => readConfiguration(role, { [setting.name]: "zzz" })).toThrow(
        `${setting.name} is "zzz": it can be `,
      );
  }
});

test("a file adds what the environment does not have; a wrong name, value or line in it is refused", () => {
  const file = join(temporaryFolder(), "berth.env");
  const write = (text: string) => writeFileSync(file, text);
  write("# all processes\nBERTH_LANES=4\nexport BERTH_HOST_ID='a b'\nBERTH_EDGE_PORT=1\n");
  const env = { BERTH_LANES: "2", BERTH_CONFIG: file };
  expect(readConfiguration("actors", env).env).toMatchObject({ BERTH_LANES: "2", BERTH_HOST_ID: "a b" });
  expect(readConfiguration("actors", {}, ["--config", file]).env).toMatchObject({ BERTH_LANES: "4" });
  for (const [text, reason] of [
    ["BERTH_LANE=4", `${file}: BERTH_LANE is no setting: BERTH_LANES is one`],
    ["PORT=80", `${file}: PORT is no setting: BERTH_PORT is one`],
    ["BERTH_SUBNET=10.0.0.0/16", `${file}: BERTH_SUBNET is no setting: BERTH_CONTAINER_SUBNET is one`],
    ["PATH=/x", `${file}: PATH is no setting`],
    ["BERTH_LANES=0", 'BERTH_LANES is "0": it can be a whole number from 1 to 16'],
    ["BERTH_LANES", `${file}, line 1: give lines such as NAME=value`],
  ] as const) {
    write(`${text}\n`);
    expect(() => readConfiguration("actors", { BERTH_CONFIG: file })).toThrow(reason);
  }
  expect(() => readConfiguration("actors", { BERTH_CONFIG: "/nowhere" })).toThrow("BERTH_CONFIG: ENOENT");
  expect(() => readConfiguration("actors", {}, ["--port", "1"])).toThrow("--config FILE is the only option");
});

test("an unknown name of the environment is a warning with the nearest name, and no secret is printed", () => {
  expect(
    readConfiguration("gateway", { BERTH_PROT: "1", BERTH_NOTHING_LIKE_IT: "", HOME: "/" }).warnings,
  ).toEqual(["BERTH_PROT is no setting: BERTH_PORT is one", "BERTH_NOTHING_LIKE_IT is no setting"]);
});

test("every name in the code is a setting", () => {
  const root = join(import.meta.dir, "../../..");
  const files = [
    ...new Bun.Glob("{system,actors,gateway,agents,client,scripts}/**/*.{ts,mjs}").scanSync({ cwd: root }),
  ].filter((file) => !file.includes("node_modules") && file !== "client/api.ts");
  const names = files.flatMap(
    (file) => readFileSync(join(root, file), "utf8").match(/\bBERTH_[A-Z0-9_]*[A-Z0-9]\b/g) ?? [],
  );
  const { warnings } = readConfiguration(
    "berth",
    Object.fromEntries(
      names.map((name) => [name, "x"]).filter(([name]) => !SETTING_NAMES.has(name as string)),
    ),
  );
  expect(
    warnings.map((line) => line.split(" ")[0]).filter((name) => !PREFIXES.includes(name as string)),
  ).toEqual([]);
});

/** Names that are put together: these are their beginnings. */
const PREFIXES = [
  "BERTH_CARDPAY",
  "BERTH_CRYPTOPAY",
  "BERTH_QUOTA",
  "BERTH_RATE_LIMIT",
  "BERTH_TEST",
  "BERTH_LAUNCH",
];

test("the page of all settings is fresh: bun run settings-docs", () => {
  expect(readFileSync(SETTINGS_FILE, "utf8")).toBe(makeSettingsPage());
});
