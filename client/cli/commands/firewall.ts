import { readFile } from "node:fs/promises";
import { Option } from "@commander-js/extra-typings";
import { readRules as readContainerRules } from "../../compose/present.ts";
import { asFile, compareRules, textOf } from "../../compose/rules.ts";
import type { FirewallApplied, ListedRule } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import type { Command, CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes, plural } from "../output/format.ts";
import { count, reply } from "../read.ts";
import { waitFor } from "../wait.ts";
import { readRules, writeRules } from "./firewall-file.ts";

const APPLY_SECONDS = "60";

const COLUMNS = {
  ID: ({ id }: ListedRule) => id,
  RULE: textOf,
  MATCHED: (rule: ListedRule) =>
    rule.packets === null ? "" : `${plural(rule.packets, "packet")}, ${bytes(rule.bytes)}`,
};

export const firewall: CommandGroup = (program, cli) => {
  const group = program
    .command("firewall")
    .summary("rules of what may reach a container")
    .description("Rules of what may reach a container, and what it may reach.");
  group
    .command("list")
    .argument("<container>")
    .description("List the rules of a container, with what they matched.")
    .action(async (given) => {
      const { rules, listing } = await readFirewall(cli, await idOf(cli, NOUNS.container, given));
      await cli.print.list(rules, COLUMNS, "There are no rules: everything passes.");
      cli.print.note(stateOf(listing.firewall));
    });
  addAdd(group, cli);
  addRemove(group, cli);
  addApply(group, cli);
  group
    .command("export")
    .argument("<container>")
    .description("Print the rules as a file for `firewall apply`, YAML or JSON.")
    .action(async (given) => {
      const { rules } = await readFirewall(cli, await idOf(cli, NOUNS.container, given));
      if (cli.options().json) await cli.print.json(asFile(rules));
      else await cli.io.out(await writeRules(rules));
    });
  group
    .command("reset")
    .argument("<container>")
    .description("Remove every rule: the container is open again.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.container, given);
      await cli.confirm(`Remove every rule of ${given}? Everything passes then.`);
      const options = { params: { path: { id } } };
      const { data } = await reply((await cli.api()).POST("/api/v1/containers/{id}/firewall/reset", options));
      await cli.print.done(`Removed every rule of ${given}. ${stateOf(data.firewall)}`, data);
    });
};

const waitOptions = (command: Command) =>
  command
    .option("--wait-applied", "wait until its host enforces the change")
    .option("--timeout <seconds>", "how long to wait", APPLY_SECONDS);

function addAdd(group: Command, cli: Cli): void {
  waitOptions(group.command("add"))
    .argument("<container>")
    .addOption(
      new Option("--direction <direction>", "of the packets")
        .choices(["ingress", "egress"] as const)
        .default("ingress" as const),
    )
    .addOption(
      new Option("--action <action>", "what happens to them")
        .choices(["allow", "reject", "drop"] as const)
        .default("allow" as const),
    )
    .addOption(
      new Option("--protocol <protocol>", "of the packets")
        .choices(["tcp", "udp", "icmp4"] as const)
        .default("tcp" as const),
    )
    .option("--port <ports>", "destination port: one, a range such as 80-90, or a comma list")
    .option("--source-port <ports>", "source port")
    .option("--from <network>", "source address or network, of an ingress rule")
    .option("--to <network>", "destination address or network, of an egress rule")
    .option("--description <text>", "what the rule is for", "")
    .description("Add a rule. The first enabled ingress rule closes all other ports.")
    .action(async (given, options) => {
      const id = await idOf(cli, NOUNS.container, given);
      const { direction, action, protocol, description, port, sourcePort, from, to } = options;
      const body = {
        action,
        protocol,
        description,
        ...(port === undefined ? {} : { destination_port: port }),
        ...(sourcePort === undefined ? {} : { source_port: sourcePort }),
        ...(from === undefined ? {} : { source: from }),
        ...(to === undefined ? {} : { destination: to }),
      };
      const api = await cli.api();
      if (direction === "ingress") await warnBeforeClosing(cli, id, given);
      const request = { params: { path: { id } }, body };
      const { data, message } = await reply(
        direction === "ingress"
          ? api.POST("/api/v1/containers/{id}/firewall/ingress", request)
          : api.POST("/api/v1/containers/{id}/firewall/egress", request),
      );
      if (!("firewall" in data)) return cli.print.done(`${message}.`, data);
      const applied = await awaited(cli, id, data.firewall, options);
      await cli.print.done(`Added ${textOf(data)}: ${data.id}. ${stateOf(applied)}`, data);
    });
}

/** The first rule changes more than it says. A script is told, a person is asked. */
async function warnBeforeClosing(cli: Cli, id: string, given: string): Promise<void> {
  const params = { path: { id }, query: { limit: "1" } };
  const { data } = await reply((await cli.api()).GET("/api/v1/containers/{id}/firewall/rules", { params }));
  if (data.defaults.ingress !== "allow") return;
  cli.print.note(
    `This is the first ingress rule of ${given}: from now on it is closed to everything that no rule allows. \`berth firewall reset ${given}\` opens it again.`,
  );
  if (cli.io.isInteractive) await cli.confirm(`Close ${given} to everything else?`);
}

function addRemove(group: Command, cli: Cli): void {
  waitOptions(group.command("remove"))
    .argument("<container>")
    .argument("<rule>", "id of a rule")
    .description("Remove a rule.")
    .action(async (given, rule_id, options) => {
      const id = await idOf(cli, NOUNS.container, given);
      const request = { params: { path: { id, rule_id } } };
      const { data } = await reply(
        (await cli.api()).DELETE("/api/v1/containers/{id}/firewall/rules/{rule_id}", request),
      );
      const applied = await awaited(cli, id, data.firewall, options);
      await cli.print.done(`Removed ${data.removed.map(textOf).join(", ")}. ${stateOf(applied)}`, data);
    });
}

function addApply(group: Command, cli: Cli): void {
  waitOptions(group.command("apply"))
    .argument("<container>")
    .requiredOption("-f, --file <file>", "YAML or JSON with ingress and egress; - reads the input")
    .description("Make the rules those of a file, in one step. The difference is shown and confirmed.")
    .action(async (given, options) => {
      const id = await idOf(cli, NOUNS.container, given);
      const text =
        options.file === "-"
          ? await new Response(cli.io.input()).text()
          : await readFile(options.file, "utf8");
      const wanted = await readRules(text, options.file);
      const { rules: present, etag, listing } = await readFirewall(cli, id);
      const { rules, added, removed } = compareRules(present, wanted);
      if (added.length + removed.length === 0)
        return cli.print.done("Nothing to change.", { rules: present });
      for (const rule of removed) cli.io.err(`- ${textOf(rule)}\n`);
      for (const rule of added) cli.io.err(`+ ${textOf(rule)}\n`);
      const closes = added.some((rule) => rule.direction === "ingress" && rule.state !== "disabled");
      if (closes && listing.defaults.ingress === "allow")
        cli.print.note(`These close ${given} to everything that no rule allows.`);
      await cli.confirm(`Make these changes to the firewall of ${given}?`);
      const { data } = await reply(
        (await cli.api()).PUT("/api/v1/containers/{id}/firewall/rules", {
          params: { path: { id }, header: { "If-Match": etag } },
          headers: { "if-match": etag },
          body: { rules },
        }),
      );
      const applied = await awaited(cli, id, data.firewall, options);
      await cli.print.done(`${plural(data.rule_count, "rule")}. ${stateOf(applied)}`, data);
    });
}

/** Every rule, with the version of the list that `If-Match` names. */
const readFirewall = async (cli: Cli, id: string) => readContainerRules(await cli.api(), id);

interface ApplyOptions {
  readonly waitApplied?: true | undefined;
  readonly timeout: string;
}

async function awaited(cli: Cli, id: string, state: FirewallApplied, { waitApplied, timeout }: ApplyOptions) {
  if (!waitApplied || state.applied) return state;
  return waitFor(cli, {
    what: "the change of the firewall",
    timeoutSeconds: count(timeout),
    check: async () => {
      const { firewall: now } = (await readFirewall(cli, id)).listing;
      if (now.error !== null) throw new Refused(`its host could not apply the rules: ${now.error}`);
      return now.applied_revision >= state.revision ? now : undefined;
    },
  });
}

function stateOf({ applied, enforced, error }: FirewallApplied): string {
  if (error !== null) return `Its host could not apply the rules: ${error}`;
  if (!applied) return "Its host has not applied the rules yet.";
  return enforced ? "The rules are in force." : "Its host does not enforce rules.";
}
