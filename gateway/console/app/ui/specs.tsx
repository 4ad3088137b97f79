import type { Schemas } from "../lib/api.ts";
import { formatNumber, plural } from "../lib/format.ts";

type ServerSpecs = Schemas["ServerSpecs"];

/** Where a server is. */
export function placeOf({ city, country }: ServerSpecs): string {
  const name = country && new Intl.DisplayNames(undefined, { type: "region" }).of(country);
  return [city, name].filter(Boolean).join(", ") || "place not stated";
}

/** What a server has, in a few words each. */
export function specsOf(specs: ServerSpecs): string[] {
  const { cpu_cores, cpu_model, ram_gb, ram_type, disks = [], bandwidth_mbps, traffic_tb } = specs;
  return [
    cpu_cores === undefined ? "" : `${plural(cpu_cores, "core")}${cpu_model ? `, ${cpu_model}` : ""}`,
    ram_gb === undefined
      ? ""
      : `${formatNumber(ram_gb)} GB memory${ram_type ? ` (${ram_type.toUpperCase()})` : ""}`,
    ...disks.map(({ type, size_gb }) => `${formatNumber(size_gb)} GB ${type.toUpperCase()}`),
    bandwidth_mbps === undefined ? "" : `${formatNumber(bandwidth_mbps)} Mbit/s`,
    traffic_tb === undefined
      ? ""
      : traffic_tb === null
        ? "unlimited traffic"
        : `${traffic_tb} TB traffic a month`,
  ].filter((text) => text !== "");
}

export const SpecsList = ({ specs }: { specs: ServerSpecs }) => (
  <ul className="specs">
    {specsOf(specs).map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);
