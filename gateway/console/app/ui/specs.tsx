import type { Schemas } from "../lib/api.ts";
import { countryName } from "../lib/countries.ts";
import { formatNumber, plural } from "../lib/format.ts";
import type { Choice } from "./field.tsx";

type ServerSpecs = Schemas["ServerSpecs"];

/** Where a server is: "Berlin, Germany (DE)". */
export const placeOf = ({ city, country }: ServerSpecs): string =>
  [city, country && countryName(country)].filter(Boolean).join(", ") || "place not stated";

/** What a server has, in a few words each. */
export function specsOf(specs: ServerSpecs): string[] {
  const { cpu_cores, cpu_model, ram_gb, ram_type, disks = [], bandwidth_mbps, traffic_tb } = specs;
  return [
    cpu_cores === undefined ? "" : `${plural(cpu_cores, "core")}${cpu_model ? `, ${cpu_model}` : ""}`,
    ram_gb === undefined
      ? ""
      : `${formatNumber(ram_gb)} GiB memory${ram_type ? ` (${ram_type.toUpperCase()})` : ""}`,
    ...disksOf(disks),
    bandwidth_mbps === undefined ? "" : `${formatNumber(bandwidth_mbps)} Mbit/s`,
    traffic_tb === undefined
      ? ""
      : traffic_tb === null
        ? "unlimited traffic"
        : `${traffic_tb} TB traffic a month`,
  ].filter((text) => text !== "");
}

const DISK_TYPES: Partial<Record<string, string>> = { nvme: "NVMe", ssd: "SSD", hdd: "HDD" };

/** The kinds of disks, to choose from. */
export const DISK_CHOICES: readonly Choice[] = Object.entries(DISK_TYPES).map(([value, label = value]) => ({
  value,
  label,
}));

/** Disks that are alike in one line. */
function disksOf(disks: NonNullable<ServerSpecs["disks"]>): string[] {
  const lines = disks.map(
    ({ type, size_gb }) => `${formatNumber(size_gb)} GB ${DISK_TYPES[type] ?? type.toUpperCase()}`,
  );
  return [...new Set(lines)].map((line) => {
    const count = lines.filter((one) => one === line).length;
    return count === 1 ? line : `${count} × ${line}`;
  });
}

export const SpecsList = ({ specs }: { specs: ServerSpecs }) => (
  <ul className="specs">
    {specsOf(specs).map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);
