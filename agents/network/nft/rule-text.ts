import { isIPv4 } from "node:net";
import type { FirewallRule } from "../../../schemas/hosting/firewall.ts";
import { CompileError, checked } from "./text.ts";

/**
 * Compiles a rule to nft text. Pure. Rules are in normal form already, but everything that enters the text is checked
 * again here, since nft runs as root.
 */

/**
 * Up to this many ports become a rule each, with a shared counter; more become a set. The kernel scans all sets of a
 * table to make another, and nft reads each separately, so few rules should need a set.
 */
const PORTS_WITHOUT_SET = 8;

/** Matches only replies, in flows that the other end opened. */
export const OF_A_REPLY = "ct direction reply";

const ID = /^[0-9a-f]{24}$/;
const PORT = "(?:0|[1-9][0-9]{0,4})";
const PORTS = new RegExp(`^${PORT}(?:-${PORT})?(?:,${PORT}(?:-${PORT})?)*$`);
const NUMBER = /^(?:0|[1-9][0-9]{0,2})$/;
const PREFIX = /^(?:[0-9]|[12][0-9]|3[0-2])$/;

/** The lines of a rule in its chain: mostly one; with a few ports, one for each. A packet is counted once. */
export function ruleTexts(rule: FirewallRule): string[] {
  const id = identifier(rule.id, "rule id");
  const end = [`counter name ${counterOf(id)}`, verdict(rule), `comment "${id}"`];
  return matches(rule, "original").map((match) => [...peer(rule, "original"), ...match, ...end].join(" "));
}

/**
 * The lines for replies in the rule's flows, with source and destination exchanged. They are needed for UDP, whose
 * replies can continue by themselves; TCP stalls when one direction is cut, and each ICMP reply needs a request.
 */
export function replyTexts(rule: FirewallRule): string[] {
  if (rule.protocol !== "udp") return [];
  const verdict = rule.action === "allow" ? "accept" : "drop";
  return matches(rule, "reply").map((match) =>
    [OF_A_REPLY, ...peer(rule, "reply"), ...match, verdict].join(" "),
  );
}

export const counterOf = (ruleId: string) => `r_${identifier(ruleId, "rule id")}`;
export const identifier = (text: string, what: string) => checked(ID, text, what);

/** The direction of a packet within its flow, as connection tracking has it: that of the first packet, or of its replies. */
type FlowDirection = "original" | "reply";

function peer(rule: FirewallRule, flow: FlowDirection): string[] {
  const ingress = rule.direction === "ingress";
  const [network, other] = ingress ? [rule.source, rule.destination] : [rule.destination, rule.source];
  // Ignoring the field would make the rule wider than requested.
  if (other !== undefined)
    throw new CompileError(`rule ${rule.id}: ${rule.direction} with the other side's address`);
  if (network === undefined) return [];
  return [`ip ${ingress === (flow === "original") ? "saddr" : "daddr"} ${cidr(network)}`];
}

/** The conditions on a packet, for one direction of its flow. */
function matches(rule: FirewallRule, flow: FlowDirection): string[][] {
  if (rule.protocol === "icmp4") return [icmpMatch(rule)];
  if (rule.icmp_type !== undefined || rule.icmp_code !== undefined) {
    throw new CompileError(`rule ${rule.id}: ${rule.protocol} with ICMP fields`);
  }
  const from = rule.source_port === undefined ? [] : ports(rule.source_port);
  const to = rule.destination_port === undefined ? [] : ports(rule.destination_port);
  const ends = flow === "original" ? (["sport", "dport"] as const) : (["dport", "sport"] as const);
  return portMatches(ends[0], from, to.length).flatMap((source) =>
    portMatches(ends[1], to, from.length).map((destination) => [
      `meta l4proto ${rule.protocol}`,
      ...source,
      ...destination,
    ]),
  );
}

/** @param others the number of ports of the other end, with each of which these are combined */
function portMatches(end: "sport" | "dport", wanted: readonly string[], others: number): string[][] {
  if (wanted.length === 0) return [[]];
  if (wanted.length * Math.max(1, others) > PORTS_WITHOUT_SET && wanted.length > 1) {
    return [[`th ${end} { ${wanted.join(", ")} }`]];
  }
  return wanted.map((port) => [`th ${end} ${port}`]);
}

function icmpMatch(rule: FirewallRule): string[] {
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

function verdict(rule: FirewallRule): string {
  if (rule.action === "allow") return "accept";
  if (rule.action === "drop") return "drop";
  return rule.protocol === "tcp" ? "reject with tcp reset" : "reject with icmpx type port-unreachable";
}

function ports(text: string): string[] {
  const parts = checked(PORTS, text, "ports").split(",");
  for (const range of parts) {
    const [low = 0, high = low] = range.split("-").map(Number);
    if (low < 1 || high > 65_535 || low > high) throw new CompileError(`not ports: ${JSON.stringify(text)}`);
  }
  return parts;
}

function cidr(text: string): string {
  const [address = "", prefix = "32", ...rest] = text.split("/");
  if (rest.length > 0 || !PREFIX.test(prefix))
    throw new CompileError(`not a network: ${JSON.stringify(text)}`);
  return `${ipv4(address)}/${prefix}`;
}

export function ipv4(text: string): string {
  if (!isIPv4(text)) throw new CompileError(`not an IPv4 address: ${JSON.stringify(text)}`);
  return text;
}

function byte(text: string): string {
  if (Number(checked(NUMBER, text, "number")) > 255) throw new CompileError(`not 0 to 255: ${text}`);
  return text;
}
