import { ValidationError } from "../../../schemas/errors.ts";
import type { AddRule, Direction, FirewallRule } from "../../../schemas/hosting/firewall.ts";

/**
 * The normal form of a rule, so that identical rules are found whatever way they were written: ports sorted and merged,
 * networks masked, "any" left out (spec, control plane §2 "Firewall rule"; notes on firewalls).
 */

/** Port ranges of a rule: few enough for an nft set and for a reader. */
const PORT_RANGES_MAX = 32;
const PORT_MAX = 65_535;
const ICMP_MAX = 255;

/** A rule as requested. */
export type NewRule = AddRule & { readonly direction: Direction };

/** A rule in normal form that has no id yet. */
export type NormalRule = Omit<FirewallRule, "id">;

/** @throws ValidationError naming the field of the body with an invalid form */
export function normalForm(rule: NewRule): NormalRule {
  const ports = rule.protocol === "icmp4" ? icmpHasNoPorts(rule) : portsOf(rule);
  const icmp = rule.protocol === "icmp4" ? icmpOf(rule) : onlyIcmpHasTypes(rule);
  const network =
    rule.direction === "ingress"
      ? networkOf("source", rule.source)
      : networkOf("destination", rule.destination);
  return {
    direction: rule.direction,
    action: rule.action,
    protocol: rule.protocol,
    description: rule.description,
    state: rule.state ?? "enabled",
    ...ports,
    ...network,
    ...icmp,
  };
}

/** Whether two rules are identical except for their ids. */
export function identical(a: NormalRule, b: NormalRule): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

const FIELDS = [
  "direction",
  "action",
  "protocol",
  "description",
  "state",
  "destination_port",
  "source_port",
  "source",
  "destination",
  "icmp_type",
  "icmp_code",
] as const satisfies readonly (keyof NormalRule)[];

function portsOf(rule: NewRule): Pick<NormalRule, "destination_port" | "source_port"> {
  if (rule.destination_port === undefined) {
    throw new ValidationError("body.destination_port", `is required for ${rule.protocol}`);
  }
  return {
    destination_port: normalPorts("body.destination_port", rule.destination_port),
    ...sourcePortOf(rule.source_port),
  };
}

/** Every port that a rule can name. As source ports this means the same as no ports. */
const ANY_PORT = `1-${PORT_MAX}`;

function sourcePortOf(text: string | undefined): Pick<NormalRule, "source_port"> {
  const ports = text === undefined ? undefined : normalSourcePorts("body.source_port", text);
  return ports === undefined ? {} : { source_port: ports };
}

/** Undefined for any. */
export function normalSourcePorts(field: string, text: string): string | undefined {
  const ports = normalPorts(field, text);
  return ports === ANY_PORT ? undefined : ports;
}

function icmpHasNoPorts(rule: NewRule): Record<string, never> {
  for (const field of ["destination_port", "source_port"] as const) {
    if (rule[field] !== undefined) throw new ValidationError(`body.${field}`, "icmp4 has no ports");
  }
  return {};
}

function icmpOf(rule: NewRule): Pick<NormalRule, "icmp_type" | "icmp_code"> {
  if (rule.icmp_code !== undefined && rule.icmp_type === undefined) {
    throw new ValidationError("body.icmp_code", "needs an icmp_type");
  }
  return {
    ...(rule.icmp_type === undefined ? {} : { icmp_type: icmpNumber("body.icmp_type", rule.icmp_type) }),
    ...(rule.icmp_code === undefined ? {} : { icmp_code: icmpNumber("body.icmp_code", rule.icmp_code) }),
  };
}

function onlyIcmpHasTypes(rule: NewRule): Record<string, never> {
  for (const field of ["icmp_type", "icmp_code"] as const) {
    if (rule[field] !== undefined)
      throw new ValidationError(`body.${field}`, "only icmp4 has types and codes");
  }
  return {};
}

export function icmpNumber(field: string, text: string): string {
  return String(decimal(field, text, 0, ICMP_MAX));
}

/** "443, 80,81" → "80-81,443". */
export function normalPorts(field: string, text: string): string {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) throw new ValidationError(field, `"${text}" has a place without a port`);
  const ranges = parts.map((part) => portRange(field, part));
  ranges.sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push({ ...range });
  }
  if (merged.length > PORT_RANGES_MAX) {
    throw new ValidationError(field, `lists more than ${PORT_RANGES_MAX} ports or ranges`);
  }
  return merged.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

function portRange(field: string, text: string): { from: number; to: number } {
  const [first = "", second, ...more] = text.split("-").map((part) => part.trim());
  if (more.length > 0 || first === "" || second === "")
    throw new ValidationError(field, `"${text}" is no port and no range`);
  const from = decimal(field, first, 1, PORT_MAX);
  const to = second === undefined ? from : decimal(field, second, 1, PORT_MAX);
  if (to < from) throw new ValidationError(field, `the range "${text}" ends before it begins`);
  return { from, to };
}

/** A decimal number without leading zeros, which other programs would read as octal. */
function decimal(field: string, text: string, min: number, max: number): number {
  const value = /^(0|[1-9][0-9]{0,4})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new ValidationError(field, `"${text}" is no number from ${min} to ${max}`);
  return value;
}

function networkOf<Field extends "source" | "destination">(
  field: Field,
  text: string | undefined,
): { [F in Field]?: string } {
  if (text === undefined) return {};
  const network = normalNetwork(`body.${field}`, text);
  return (network === undefined ? {} : { [field]: network }) as { [F in Field]?: string };
}

/** "10.0.0.5/8" → "10.0.0.0/8", "1.2.3.4/32" → "1.2.3.4"; undefined for any. */
export function normalNetwork(field: string, text: string): string | undefined {
  const [host = "", prefixText, ...more] = text.split("/").map((part) => part.trim());
  const octets = host.split(".");
  if (more.length > 0 || octets.length !== 4 || [...octets, prefixText].includes(""))
    throw new ValidationError(field, `"${text}" is no IPv4 address or CIDR`);
  const address = octets.reduce((sum, octet) => sum * 256 + decimal(field, octet, 0, 255), 0);
  const prefix = prefixText === undefined ? 32 : decimal(field, prefixText, 0, 32);
  if (prefix === 0) return undefined;
  const size = 2 ** (32 - prefix);
  const first = Math.floor(address / size) * size;
  const masked = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".");
  return prefix === 32 ? masked : `${masked}/${prefix}`;
}
