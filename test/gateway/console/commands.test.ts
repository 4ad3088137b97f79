import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { berthLine } from "../../../gateway/console/app/lib/commands.ts";
import { createWords } from "../../../gateway/console/app/pages/containers/create-words.ts";
import { settingWords } from "../../../gateway/console/app/pages/containers/setting-words.ts";
import { programOfReference } from "../../client/cli/reference.ts";

/** "The same by command line and curl", below every form. */

const APP = join(import.meta.dir, "../../../gateway/console/app");
const sources = readdirSync(join(APP, "pages"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(APP, "pages", file), "utf8") }));

const counts = (pattern: RegExp): Record<string, number> =>
  Object.fromEntries(
    sources
      .map(({ file, text }) => [file, text.match(pattern)?.length ?? 0] as const)
      .filter(([, count]) => count > 0),
  );

/** How many forms of a file show no command, and why. */
const WITHOUT_COMMAND: Record<string, number> = {
  // The browser makes the passkey: no command can.
  "account/passkeys.tsx": 1,
  "sign-in/second-factor.tsx": 1,
  // It asks for the code, and the next form sends the answer.
  "device/device.tsx": 1,
  // It chooses the container, and the next form makes the name.
  "names/names.tsx": 1,
};

/** How many forms of a file show `berth api`, because the command line has no command of its own for them. */
const BY_API: Record<string, number> = {
  // What protects the account is changed where a person sees it.
  "account/account.tsx": 2,
  "account/passkeys.tsx": 2,
  "account/second-factor.tsx": 1,
  "account/totp.tsx": 3,
  // It answers a program that waits at the command line.
  "device/device.tsx": 1,
  // A rule is removed and added, and not switched.
  "containers/firewall.tsx": 1,
  // The link is shown once, to who is to send it.
  "operator/user-acts.tsx": 1,
  // A pool keeps its name, and a note is for who reads the page.
  "pools/describe.tsx": 1,
  "wallet/payment-methods.tsx": 1,
  // A webhook is deleted and created again.
  "webhooks/rotate-secret.tsx": 1,
  "webhooks/webhook-form.tsx": 1,
};

test("every form shows how it is done without the page, or is on the list of those that cannot", () => {
  const forms = counts(/<(Form|Confirm)\n?\s/g);
  const commands = counts(/\bcommand=\{/g);
  const without = Object.fromEntries(
    Object.entries(forms)
      .map(([file, count]) => [file, count - (commands[file] ?? 0)] as const)
      .filter(([, count]) => count !== 0),
  );
  expect(without).toEqual(WITHOUT_COMMAND);
});

test("no form shows a request where the command line has a command of its own", () => {
  expect(counts(/\bberth:[^,[(]*\bnull\b/g)).toEqual(BY_API);
});

type Command = ReturnType<typeof programOfReference>["commands"][number];

const program = programOfReference();
const named = (commands: readonly Command[], name: string | undefined) =>
  commands.find((command) => command.name() === name);

/** From the bracket that opens at `start` to the one that closes it. */
function bracketed(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "[") depth++;
    if (text[at] === "]" && --depth === 0) return text.slice(start, at + 1);
  }
  throw new Error("a bracket is not closed");
}

/** Every list of words that begins with the name of a command. */
const shown = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/\[\s*(?:\.\.\.\[\s*)?"([a-z-]+)"/g)]
    .filter(([, first]) => named(program.commands, first) !== undefined)
    .map(({ index }) => ({ file, list: bracketed(text, index) })),
);

test("every command that a form shows is one of the command line, with options that it has", () => {
  const unknown = shown.flatMap(({ file, list }) => {
    const leading = /^\[\s*(?:\.\.\.\[\s*)?((?:"[a-z-]+"(?:,\s*)?)+)/.exec(list)?.[1] ?? "";
    let command: Command | undefined;
    for (const word of leading.match(/[a-z-]+/g) ?? []) {
      const next = named(command?.commands ?? program.commands, word);
      if (next === undefined) break;
      command = next as Command;
    }
    if (command === undefined) return [`${file}: ${list}`];
    // Where a word depends on the form, it is one of the group's.
    const candidates = command.commands.length === 0 ? [command] : command.commands;
    const options = [...list.matchAll(/"--([a-z-]+)"|\boptions?\(\s*"([a-z-]+)"/g)].map(
      ([, flag, name]) => `--${flag ?? name}`,
    );
    return options
      .filter((option) => !candidates.some((one) => one.options.some(({ long }) => long === option)))
      .map((option) => `${file}: ${command?.name()} ${option}`);
  });
  expect(unknown).toEqual([]);
  // Those of containers, the marketplace, the wallet, sharing and operators.
  expect(shown.length).toBeGreaterThan(40);
});

describe("the command for a container's settings", () => {
  test("has an option for each of them", () => {
    const words = settingWords({
      name: "web",
      env: [
        { name: "A", value: "1" },
        { name: "KEY", secret: true },
      ],
      ports: [{ name: "web", port: 80, protocol: "https" }],
      labels: { tier: "front" },
      resources: { cpu_cores: 0.5, memory_bytes: 256 * 2 ** 20, disk_bytes: null },
      restart_policy: { name: "on-failure", max_retries: 5 },
      stop_signal: "SIGQUIT",
      stop_grace_seconds: 30,
      health_check: {
        command: ["curl", "-f", "http://[::1]"],
        interval_seconds: 30,
        enabled: true,
        restart: true,
      },
    });
    expect(words).toEqual([
      ...[
        "--name",
        "web",
        "--env",
        "A=1",
        "--secret",
        "KEY",
        "--port",
        "web:80/https",
        "--label",
        "tier=front",
      ],
      ...["--cpu", "0.5", "--memory", "256M", "--restart", "on-failure:5"],
      ...["--stop-signal", "SIGQUIT", "--stop-grace", "30s"],
      ...["--health-command", "curl -f 'http://[::1]'", "--health-interval", "30s", "--health-restart"],
    ]);
    const update = named(named(program.commands, "containers")?.commands ?? [], "update");
    const known = update?.options.map(({ long }) => long) ?? [];
    expect(words?.filter((word) => word.startsWith("--") && !known.includes(word))).toEqual([]);
  });

  test("is none where a setting has no option: the request is shown", () => {
    expect(settingWords({ stop_signal: null })).toBeNull();
    expect(settingWords({ command: ["sleep", "1"] })).toBeNull();
    expect(settingWords({ labels: {} })).toBeNull();
    const request = { method: "PATCH" as const, path: "/api/v1/containers/1", body: { labels: {} } };
    expect(berthLine({ ...request, berth: settingWords(request.body) })).toBe(
      `berth api PATCH /api/v1/containers/1 -d '{"labels":{}}'`,
    );
  });

  test("creates it with the program and its arguments", () => {
    const body = { name: "web", server_id: "s", image: "debian:13", command: ["sh", "-c", "exit 3"] };
    expect(createWords(body, { server: "node-1", project: "shop" })).toEqual([
      ...["containers", "create", "web", "--server", "node-1", "--project", "shop", "--image", "debian:13"],
      ...["--entrypoint", "sh", "--", "-c", "exit 3"],
    ]);
  });
});

test("a command that reads its input is shown with it", () => {
  const line = berthLine({
    method: "POST",
    path: "/api/v1/admin/offers",
    berth: ["admin", "offers", "add", "--file", "-"],
    input: { name: "it's big" },
  });
  expect(line).toBe(`printf %s '{"name":"it'\\''s big"}' | berth admin offers add --file -`);
});
