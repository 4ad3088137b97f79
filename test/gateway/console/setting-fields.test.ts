import { expect, test } from "bun:test";
import { linesOf, missingValueIn, pairsOf } from "../../../gateway/console/app/pages/containers/lines.ts";
import {
  changesOf,
  fieldsOf,
  settingsOf,
} from "../../../gateway/console/app/pages/containers/setting-fields.ts";
import { readWords, writeWords } from "../../../gateway/console/app/pages/containers/words.ts";

test("a command that is shown as text is read back as the same words, whatever is in them", () => {
  const commands = [
    ["sh", "-c", 'echo "hi there"; sleep 1'],
    ["printf", "a\\nb\t", "it's", ""],
    ["--flag=with space", "\\", '"'],
    [],
  ];
  for (const words of commands) expect(readWords(writeWords(words))).toEqual(words);
  expect(readWords(`sh -c 'a b' "c d" e`)).toEqual(["sh", "-c", "a b", "c d", "e"]);
});

test("variables that are shown as lines are read back as they were, also of several lines and with blanks or quotes", () => {
  const pairs: [string, string][] = [
    ["PLAIN", "a=b"],
    ["LINES", "one\ntwo"],
    ["BLANKS", " x "],
    ["QUOTED", '"q"'],
    ["EMPTY", ""],
  ];
  expect(pairsOf(linesOf(pairs))).toEqual(pairs);
});

const container = {
  name: "web",
  command: ["sh"],
  args: [],
  env: [
    { name: "MODE", value: "test" },
    { name: "TOKEN", secret: true },
  ],
  ports: [
    { name: "web", port: 80, protocol: "http" },
    { name: "db", port: 5432, protocol: "tcp" },
  ],
  resources: { memory_bytes: 512 * 2 ** 20, cpu_cores: 0.5, disk_bytes: null, applied: null },
  restart_policy: { name: "on-failure", max_retries: 3 },
  stop_grace_seconds: 5,
  stop_signal: null,
  health_check: {
    ...{ enabled: true, command: [], interval_seconds: 10, timeout_seconds: null },
    ...{ start_period_seconds: null, retries: null, restart: false },
  },
  labels: { app: "shop" },
} as unknown as Parameters<typeof fieldsOf>[0];

test("what was not changed is not sent, and a secret that was left alone keeps its value", () => {
  const begin = fieldsOf(container);
  expect(changesOf(begin, begin)).toEqual({});
  expect(changesOf(begin, { ...begin, labels: "app=shop\ntier=back" })).toEqual({
    labels: { app: "shop", tier: "back" },
  });
  expect(changesOf(begin, { ...begin, env: "MODE=production" })).toEqual({
    env: [
      { name: "MODE", value: "production" },
      { name: "TOKEN", secret: true },
    ],
  });
  expect(changesOf(begin, { ...begin, ports: `${begin.ports}\nlog=514/udp` }).ports).toEqual([
    { name: "web", port: 80 },
    { name: "db", port: 5432, protocol: "tcp" },
    { name: "log", port: 514, protocol: "udp" },
  ]);
  expect(changesOf(begin, { ...begin, health_restart: "on" }).health_check).toMatchObject({
    ...{ enabled: true, restart: true, interval_seconds: 10, timeout_seconds: null },
  });
  expect(changesOf(begin, { ...begin, memory: "" }).resources).toEqual({
    ...{ memory_bytes: null, cpu_cores: 0.5, disk_bytes: null, bandwidth_mbps: null },
  });
});

test("a new container is sent what was filled in, and nothing else", () => {
  expect(
    settingsOf({ env: "", secrets: "", ports: "", memory: "", restart: "", labels: "", health: "" }),
  ).toEqual({});
  expect(settingsOf({ command: "sleep infinity", cores: "2" })).toEqual({
    command: ["sleep", "infinity"],
    resources: { memory_bytes: null, disk_bytes: null, cpu_cores: 2, bandwidth_mbps: null },
  });
});

test.each([
  ["", null],
  ["A=1\n\nB=", null],
  ["A=1\nB\nC", "Line 2: write NAME=value."],
])("a variable without a value is named by its line: %j", (text, said) => {
  expect(missingValueIn(text)).toBe(said as string);
});
