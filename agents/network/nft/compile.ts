import { createHash } from "node:crypto";
import type { DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import type { FirewallRule } from "../../../schemas/hosting/firewall.ts";
import type { Counts } from "./listing.ts";
import { counterOf, identifier, ipv4, OF_A_REPLY, replyTexts, ruleTexts } from "./rule-text.ts";
import { chain, checked, hook, inet, removal } from "./text.ts";

/**
 * From rules to nftables, on the host's side of containers' links: one table an agent, in which each container has a chain a
 * direction. Two maps lead from an interface to its chain, so that a packet meets the rules of its own container and no other's,
 * and a change of a container's rules touches its two chains only. Pure.
 */

/** The host's end of a container's link. */
export interface VethEndpoint {
  /** Name of the interface on the host. */
  readonly veth: string;
  /** The container's IPv4 address. */
  readonly address: string;
  /** The host's own address from which its edge connects; no rule of the container keeps it out. */
  readonly edge?: string;
}

/** What is to be in force for one container. */
export interface ContainerRules {
  readonly desired: DesiredFirewall;
  readonly endpoint: VethEndpoint;
}

const COUNTER = /^(?:r|in|out)_[0-9a-f]{24}$/;
const INTERFACE = /^[a-z][a-z0-9]{0,14}$/;

const REPLIES = `ct state established ${OF_A_REPLY} meta l4proto != udp accept`;

/** Denials come before allowances: which rule was added first plays no part. */
const ORDER = ["drop", "reject", "allow"] as const;

/** The table of the agent whose folder this is: agents of one machine have one each. */
export const firewallTableName = (data: string) =>
  `berth_fw_${createHash("sha256").update(data).digest("hex").slice(0, 12)}`;

/** The rule that a counter belongs to; null for those of the defaults. */
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
    // It has no IPv6. Only replies pass as established: a flow that a rule no longer allows is cut. Of UDP not even those.
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
    // Two chains where a packet is forwarded: what one container may send must still be what the other one takes.
    chain(t, "forward_from", [hook("forward", "filter"), "iifname vmap @egress_by_iface"]),
    chain(t, "forward_to", [hook("forward", "filter + 1"), "oifname vmap @ingress_by_iface"]),
    // To the host itself; names and addresses are its service to every container.
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
 * New rules for a container that has its chains. The commands are of the kind for which nft reads nothing but the names of
 * tables: `add rule` would read all chains, sets and counters of the host, and so would an element of a map.
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

/** The same for one that has none yet, which leaves it with nothing else, whatever was in its chains. */
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

/** Replaces the whole table by one with these containers; the kernel switches atomically. */
export function compileTable(table: string, all: readonly ContainerRules[], counts?: Counts): string {
  const t = inet(table);
  return [
    removal(t) + compileBaseChains(table),
    ...all.map((rules) => compileAttach(table, rules, counts)),
  ].join("\n");
}

/** Removes the chains, counters and map elements of one container, which is open then. All of them must exist. */
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

/** Removes the table, whether it is there or not. */
export const compileTableRemoval = (table: string) => removal(inet(table));

function egressRules({ desired, endpoint }: ContainerRules): string[] {
  return [
    // No address but its own.
    `ip saddr != ${ipv4(endpoint.address)} drop`,
    "jump egress_common",
    // Of flows that came in: what the rules for those allow, and nothing else.
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
    // An alias is an opening that its owner made. The kernel takes in no packet from an address of its own, so nobody else sends from it.
    ...(edge === undefined ? [] : [`ip saddr ${ipv4(edge)} accept`]),
    // Of flows that went out: all but what a rule for those forbids.
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

/** One of each rule, and two of what no rule matched. */
export function countersOf({ container_id, rules }: DesiredFirewall): string[] {
  return [
    ...["in", "out"].map((direction) => `${direction}_${identifier(container_id, "container id")}`),
    ...rules.filter(isEnabled).map((rule) => counterOf(rule.id)),
  ];
}

/** What a new counter begins with; one that is there goes on. */
function startOf(counter: string, counts: Counts | undefined): string {
  const count = counts?.get(counter);
  return count === undefined ? "" : ` { packets ${whole(count.packets)} bytes ${whole(count.bytes)} ; }`;
}

/** As digits, however large. */
const whole = (count: number) => Math.min(count, Number.MAX_SAFE_INTEGER).toFixed(0);

const isEnabled = (rule: FirewallRule) => rule.state === "enabled";
const nameOf = ({ veth }: VethEndpoint) => `"${checked(INTERFACE, veth, "interface")}"`;
