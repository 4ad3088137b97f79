import { createHash } from "node:crypto";
import type { DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import type { FirewallRule } from "../../../schemas/hosting/firewall.ts";
import type { Counts } from "./listing.ts";
import { counterOf, identifier, ipv4, OF_A_REPLY, replyTexts, ruleTexts } from "./rule-text.ts";
import { chain, checked, hook, inet, removal } from "./text.ts";

/**
 * Compiles rules to nftables, on the host's side of containers' links: one table for each agent, with a chain for
 * each container and direction. Two maps lead from an interface to its chain, so that a packet meets the rules of its
 * own container and no other's, and a change of a container's rules touches its two chains only. Pure.
 */

/** The host's end of a container's link. */
export interface VethEndpoint {
  /** Name of the interface on the host. */
  readonly veth: string;
  /** The container's IPv4 address. */
  readonly address: string;
  /** The host's address from which its edge connects; the container's rules do not apply to it. */
  readonly edge?: string;
}

/** The rules of one container, with its link. */
export interface ContainerRules {
  readonly desired: DesiredFirewall;
  readonly endpoint: VethEndpoint;
}

const COUNTER = /^(?:r|in|out)_[0-9a-f]{24}$/;
const INTERFACE = /^[a-z][a-z0-9]{0,14}$/;

const REPLIES = `ct state established ${OF_A_REPLY} meta l4proto != udp accept`;

/** Denials come before allowances, whatever the order in which rules were added. */
const ORDER = ["drop", "reject", "allow"] as const;

/** The table of the agent whose folder this is: agents of one machine have one each. */
export const firewallTableName = (data: string) =>
  `berth_fw_${createHash("sha256").update(data).digest("hex").slice(0, 12)}`;

/** The rule of a counter; null for the counters of the defaults. */
export const ruleOf = (counter: string) => (counter.startsWith("r_") ? counter.slice("r_".length) : null);

const chainsOf = (containerId: string) => {
  const id = identifier(containerId, "container id");
  return { egress: `egress_${id}`, ingress: `ingress_${id}` };
};

/** The base chains, which all containers share and which jump to the chains of each. */
function compileBaseChains(table: string): string {
  const t = inet(table);
  return [
    `add table ${t}`,
    `add map ${t} egress_by_iface { type ifname : verdict; }`,
    `add map ${t} ingress_by_iface { type ifname : verdict; }`,
    // Containers have no IPv6. Only replies pass as established, so that a flow is cut when no rule allows it any
    // more. UDP replies are checked by the rules.
    chain(t, "egress_common", [
      "meta nfproto ipv6 drop",
      "ct state related accept",
      REPLIES,
      "ct state invalid drop",
    ]),
    chain(t, "ingress_common", [
      "meta nfproto ipv6 drop",
      "ct state related accept",
      REPLIES,
      "ct state invalid drop",
      "icmp type { destination-unreachable, time-exceeded, parameter-problem } accept",
    ]),
    // Two forward chains: a packet between containers must be allowed by the sender's and by the recipient's rules.
    chain(t, "forward_from", [hook("forward", "filter"), "iifname vmap @egress_by_iface"]),
    chain(t, "forward_to", [hook("forward", "filter + 1"), "oifname vmap @ingress_by_iface"]),
    // To the host itself, which offers DNS and DHCP to every container.
    chain(t, "input", [
      hook("input", "filter"),
      "udp dport { 53, 67 } accept",
      "tcp dport 53 accept",
      "iifname vmap @egress_by_iface",
    ]),
    chain(t, "output", [
      hook("output", "filter"),
      "udp sport 67 accept",
      `${OF_A_REPLY} udp sport 53 accept`,
      "oifname vmap @ingress_by_iface",
    ]),
    "",
  ].join("\n");
}

/**
 * Compiles new rules for a container that has chains. It uses only commands for which nft reads nothing but the names
 * of tables: `add rule` would read all chains, sets and counters of the host, and so would an element of a map.
 *
 * @throws CompileError when a value has a form that no rule can have
 */
export function compileUpdate(table: string, rules: ContainerRules, counts?: Counts): string {
  const t = inet(table);
  const { egress, ingress } = chainsOf(rules.desired.container_id);
  const chains = [egress, ingress];
  return [
    ...chains.map((name) => `flush chain ${t} ${name}`),
    ...countersOf(rules.desired).map((counter) => `add counter ${t} ${counter}${startOf(counter, counts)}`),
    chain(t, egress, egressRules(rules)),
    chain(t, ingress, ingressRules(rules)),
    "",
  ].join("\n");
}

/** Compiles rules for a container without chains; existing contents of its chains are removed. */
export function compileAttach(table: string, rules: ContainerRules, counts?: Counts): string {
  const t = inet(table);
  const { egress, ingress } = chainsOf(rules.desired.container_id);
  const veth = nameOf(rules.endpoint);
  return [
    `add chain ${t} ${egress}`,
    `add chain ${t} ${ingress}`,
    compileUpdate(table, rules, counts),
    `add element ${t} egress_by_iface { ${veth} : jump ${egress} }`,
    `add element ${t} ingress_by_iface { ${veth} : jump ${ingress} }`,
    "",
  ].join("\n");
}

/** Compiles the replacement of the whole table by one with these containers, which the kernel applies atomically. */
export function compileTable(table: string, all: readonly ContainerRules[], counts?: Counts): string {
  const t = inet(table);
  return [
    removal(t) + compileBaseChains(table),
    ...all.map((rules) => compileAttach(table, rules, counts)),
  ].join("\n");
}

/** Compiles the removal of a container's chains, counters and map elements, which opens it. All of them must exist. */
export function compileRemoval(table: string, { desired, endpoint }: ContainerRules): string {
  const t = inet(table);
  const { egress, ingress } = chainsOf(desired.container_id);
  const chains = [egress, ingress];
  return [
    ...["egress_by_iface", "ingress_by_iface"].map(
      (map) => `delete element ${t} ${map} { ${nameOf(endpoint)} }`,
    ),
    ...chains.map((name) => `flush chain ${t} ${name}`),
    ...chains.map((name) => `delete chain ${t} ${name}`),
    ...countersOf(desired).map((counter) => `delete counter ${t} ${counter}`),
    "",
  ].join("\n");
}

export function compileCounterRemoval(table: string, counters: readonly string[]): string {
  const t = inet(table);
  return counters.map((counter) => `delete counter ${t} ${checked(COUNTER, counter, "counter")}\n`).join("");
}

/** Compiles the removal of the table, whether or not it exists. */
export const compileTableRemoval = (table: string) => removal(inet(table));

function egressRules({ desired, endpoint }: ContainerRules): string[] {
  return [
    // Only packets with the container's own address.
    `ip saddr != ${ipv4(endpoint.address)} drop`,
    "jump egress_common",
    // Replies in incoming flows: only what the ingress rules allow.
    ...ordered(desired, "ingress", replyTexts),
    `${OF_A_REPLY} meta l4proto udp ${desired.closed ? "drop" : "accept"}`,
    ...ordered(desired, "egress", ruleTexts),
    `counter name out_${desired.container_id} accept`,
  ];
}

function ingressRules({ desired, endpoint: { edge } }: ContainerRules): string[] {
  const counter = `counter name in_${desired.container_id}`;
  return [
    "jump ingress_common",
    // The edge may always connect, since an alias is an opening that its owner made. The kernel drops packets from
    // outside with this address.
    ...(edge === undefined ? [] : [`ip saddr ${ipv4(edge)} accept`]),
    // Replies in outgoing flows: everything except what the egress rules deny.
    ...ordered(desired, "egress", replyTexts),
    `${OF_A_REPLY} meta l4proto udp accept`,
    ...ordered(desired, "ingress", ruleTexts),
    ...(desired.closed
      ? [
          `meta l4proto tcp ${counter} reject with tcp reset`,
          `${counter} reject with icmpx type admin-prohibited`,
        ]
      : [`${counter} accept`]),
  ];
}

function ordered(
  { rules }: DesiredFirewall,
  direction: FirewallRule["direction"],
  textsOf: (rule: FirewallRule) => string[],
): string[] {
  const enabled = rules.filter((rule) => rule.direction === direction && isEnabled(rule));
  return ORDER.flatMap((action) => enabled.filter((rule) => rule.action === action).flatMap(textsOf));
}

/** The names of the counters: one for each rule, and two for the defaults. */
export function countersOf({ container_id, rules }: DesiredFirewall): string[] {
  return [
    ...["in", "out"].map((direction) => `${direction}_${identifier(container_id, "container id")}`),
    ...rules.filter(isEnabled).map((rule) => counterOf(rule.id)),
  ];
}

/** The initial value of a new counter; an existing one is not reset. */
function startOf(counter: string, counts: Counts | undefined): string {
  const count = counts?.get(counter);
  return count === undefined ? "" : ` { packets ${whole(count.packets)} bytes ${whole(count.bytes)} ; }`;
}

/** As digits, however large. */
const whole = (count: number) => Math.min(count, Number.MAX_SAFE_INTEGER).toFixed(0);

const isEnabled = (rule: FirewallRule) => rule.state === "enabled";
const nameOf = ({ veth }: VethEndpoint) => `"${checked(INTERFACE, veth, "interface")}"`;
