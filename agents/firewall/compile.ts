import type { DesiredFirewall } from "../../schemas/desired.ts";
import type { FirewallRule } from "../../schemas/firewall.ts";
import { isIpv4 } from "../addresses.ts";
import type { Counts } from "./listing.ts";

/**
 * From rules to nftables: one table a container, on the host's side of its link. Pure. The rules are already in
 * normal form, yet everything that enters the text is checked again here: this text is run as root.
 */

/** The host's end of a container's link. */
export interface ContainerLink {
  /** Name of the interface on the host. */
  readonly veth: string;
  /** The container's IPv4 address. */
  readonly address: string;
}

/**
 * `replace` makes the table anew, whatever it was; its counters start at `counts`, else at zero. `update` keeps the
 * counters, and needs to know the rules' counters that the table has now, so that those of removed rules go.
 */
export type Mode = { kind: "replace"; counts?: Counts } | { kind: "update"; counters: readonly string[] };

/** A value that may not enter nft text. The rules of the record are refused as a whole. */
export class CompileError extends Error {
  override readonly name = "CompileError";
}

const ID = /^[0-9a-f]{24}$/;
const COUNTER = /^r_[0-9a-f]{24}$/;
const INTERFACE = /^[a-z][a-z0-9]{0,14}$/;
const PORT = "(?:0|[1-9][0-9]{0,4})";
const PORTS = new RegExp(`^${PORT}(?:-${PORT})?(?:,${PORT}(?:-${PORT})?)*$`);
const NUMBER = /^(?:0|[1-9][0-9]{0,2})$/;
const PREFIX = /^(?:[0-9]|[12][0-9]|3[0-2])$/;

/** Denials come before allowances: which rule was added first plays no part. */
const ORDER = ["drop", "reject", "allow"] as const;

export const tableOf = (containerId: string) => `fw_${checked(ID, containerId, "container id")}`;
export const counterOf = (ruleId: string) => `r_${checked(ID, ruleId, "rule id")}`;
/** The rule that a counter belongs to; null for those of the defaults. */
export const ruleOf = (counter: string) => (COUNTER.test(counter) ? counter.slice("r_".length) : null);

/** The counters of rules that a table has once these rules are in force. */
export function counterNames({ rules }: DesiredFirewall): string[] {
  return rules.filter(isEnabled).map((rule) => counterOf(rule.id));
}

/**
 * The text for one `nft -f -`, which the kernel takes as a whole or not at all.
 *
 * @throws CompileError when a value has a form that no rule can have
 */
export function compile(desired: DesiredFirewall, link: ContainerLink, mode: Mode): string {
  const table = `inet ${tableOf(desired.container_id)}`;
  const veth = `"${checked(INTERFACE, link.veth, "interface")}"`;
  const address = ipv4(link.address);
  const enabled = desired.rules.filter(isEnabled);
  const counters = counterNames(desired);

  const rules = (direction: FirewallRule["direction"]) =>
    ORDER.flatMap((action) =>
      enabled
        .filter((rule) => rule.direction === direction && rule.action === action)
        .map((rule) => `add rule ${table} ${direction} ${ruleText(rule)}`),
    );

  return [
    ...start(table, mode, counters),
    ...["in_default", "out_default", ...counters].map(
      (counter) => `add counter ${table} ${counter}${startOf(counter, mode)}`,
    ),
    `add chain ${table} egress`,
    `add chain ${table} ingress`,
    `add chain ${table} forward { type filter hook forward priority filter; policy accept; }`,
    `add chain ${table} input { type filter hook input priority filter; policy accept; }`,
    `add chain ${table} output { type filter hook output priority filter; policy accept; }`,

    // Leaving the container. It has no IPv6, and no address but its own.
    `add rule ${table} egress meta nfproto ipv6 drop`,
    `add rule ${table} egress ip saddr != ${address} drop`,
    `add rule ${table} egress ct state related accept`,
    `add rule ${table} egress ct state established ct direction reply accept`,
    `add rule ${table} egress ct state invalid drop`,
    ...rules("egress"),
    `add rule ${table} egress counter name out_default accept`,

    // Towards it. Only replies pass as established: a flow that a rule no longer allows is cut.
    `add rule ${table} ingress meta nfproto ipv6 drop`,
    `add rule ${table} ingress ct state related accept`,
    `add rule ${table} ingress ct state established ct direction reply accept`,
    `add rule ${table} ingress ct state invalid drop`,
    `add rule ${table} ingress icmp type { destination-unreachable, time-exceeded, parameter-problem } accept`,
    ...rules("ingress"),
    `add rule ${table} ingress meta l4proto tcp counter name in_default reject with tcp reset`,
    `add rule ${table} ingress counter name in_default reject with icmpx type admin-prohibited`,

    `add rule ${table} forward iifname ${veth} jump egress`,
    `add rule ${table} forward oifname ${veth} jump ingress`,
    // To the host itself; names and addresses are its service to every container.
    `add rule ${table} input iifname ${veth} udp dport { 53, 67 } accept`,
    `add rule ${table} input iifname ${veth} tcp dport 53 accept`,
    `add rule ${table} input iifname ${veth} jump egress`,
    `add rule ${table} output oifname ${veth} udp sport 67 accept`,
    `add rule ${table} output oifname ${veth} jump ingress`,
    "",
  ].join("\n");
}

/** The text that removes a container's table, whether it is there or not. */
export function compileRemoval(containerId: string): string {
  const table = `inet ${tableOf(containerId)}`;
  return `add table ${table}\ndelete table ${table}\n`;
}

function start(table: string, mode: Mode, wanted: readonly string[]): string[] {
  if (mode.kind === "replace") return [`add table ${table}`, `delete table ${table}`, `add table ${table}`];
  const stale = mode.counters
    .map((counter) => checked(COUNTER, counter, "counter"))
    .filter((counter) => !wanted.includes(counter));
  return [
    `add table ${table}`,
    `flush table ${table}`,
    ...stale.map((counter) => `delete counter ${table} ${counter}`),
  ];
}

/** What a counter of a new table begins with. */
function startOf(counter: string, mode: Mode): string {
  const count = mode.kind === "replace" ? mode.counts?.get(counter) : undefined;
  return count === undefined ? "" : ` { packets ${whole(count.packets)} bytes ${whole(count.bytes)} ; }`;
}

/** As digits, however large. */
const whole = (count: number) => Math.min(count, Number.MAX_SAFE_INTEGER).toFixed(0);

function isEnabled(rule: FirewallRule): boolean {
  return rule.state === "enabled";
}

function ruleText(rule: FirewallRule): string {
  const id = checked(ID, rule.id, "rule id");
  return [
    ...peer(rule),
    ...matches(rule),
    `counter name ${counterOf(id)}`,
    verdict(rule),
    `comment "${id}"`,
  ].join(" ");
}

function peer(rule: FirewallRule): string[] {
  const ingress = rule.direction === "ingress";
  const [network, other] = ingress ? [rule.source, rule.destination] : [rule.destination, rule.source];
  // Dropping a field that was given would make the rule wider than written.
  if (other !== undefined)
    throw new CompileError(`rule ${rule.id}: ${rule.direction} with the other side's address`);
  if (network === undefined) return [];
  return [`ip ${ingress ? "saddr" : "daddr"} ${cidr(network)}`];
}

function matches(rule: FirewallRule): string[] {
  if (rule.protocol === "icmp4") {
    if (rule.source_port !== undefined || rule.destination_port !== undefined) {
      throw new CompileError(`rule ${rule.id}: icmp4 with ports`);
    }
    if (rule.icmp_code !== undefined && rule.icmp_type === undefined) {
      throw new CompileError(`rule ${rule.id}: an ICMP code without a type`);
    }
    return [
      "ip protocol icmp",
      ...(rule.icmp_type === undefined ? [] : [`icmp type ${byte(rule.icmp_type)}`]),
      ...(rule.icmp_code === undefined ? [] : [`icmp code ${byte(rule.icmp_code)}`]),
    ];
  }
  if (rule.icmp_type !== undefined || rule.icmp_code !== undefined) {
    throw new CompileError(`rule ${rule.id}: ${rule.protocol} with ICMP fields`);
  }
  if (rule.protocol !== "tcp" && rule.protocol !== "udp") throw new CompileError("unknown protocol");
  return [
    `meta l4proto ${rule.protocol}`,
    ...(rule.source_port === undefined ? [] : [`th sport { ${ports(rule.source_port)} }`]),
    ...(rule.destination_port === undefined ? [] : [`th dport { ${ports(rule.destination_port)} }`]),
  ];
}

function verdict(rule: FirewallRule): string {
  if (rule.action === "allow") return "accept";
  if (rule.action === "drop") return "drop";
  return rule.protocol === "tcp" ? "reject with tcp reset" : "reject with icmpx type port-unreachable";
}

function ports(text: string): string {
  checked(PORTS, text, "ports");
  for (const range of text.split(",")) {
    const [low = 0, high = low] = range.split("-").map(Number);
    if (low < 1 || high > 65_535 || low > high) throw new CompileError(`not ports: ${JSON.stringify(text)}`);
  }
  return text.replaceAll(",", ", ");
}

function cidr(text: string): string {
  const [address = "", prefix = "32", ...rest] = text.split("/");
  if (rest.length > 0 || !PREFIX.test(prefix))
    throw new CompileError(`not a network: ${JSON.stringify(text)}`);
  return `${ipv4(address)}/${prefix}`;
}

function ipv4(text: string): string {
  if (!isIpv4(text)) throw new CompileError(`not an IPv4 address: ${JSON.stringify(text)}`);
  return text;
}

function byte(text: string): string {
  if (Number(checked(NUMBER, text, "number")) > 255) throw new CompileError(`not 0 to 255: ${text}`);
  return text;
}

function checked(form: RegExp, text: string, what: string): string {
  if (!form.test(text)) throw new CompileError(`not a ${what}: ${JSON.stringify(text).slice(0, 80)}`);
  return text;
}
