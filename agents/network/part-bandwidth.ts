import { existsSync } from "node:fs";
import { run } from "../exec/command.ts";
import { shape } from "./bandwidth.ts";

/**
 * The bandwidth that all containers of a part of the host have together, each way: all their packets pass one device for each way
 * (`ifb` of the kernel), which has a token bucket. The packets go on as if they had never left their link, so firewalls see no difference.
 */

/** At most 15 characters, the kernel's limit. */
const devicesOf = (part: string) => ({ out: `bu${part.slice(-13)}`, into: `bd${part.slice(-13)}` });

/** All packets that pass a link in one direction go through a device. */
const lead = (veth: string, side: "ingress" | "egress", device: string): string[] => [
  ...["tc", "filter", "add", "dev", veth, side, "protocol", "all"],
  ...["u32", "match", "u32", "0", "0", "action", "mirred", "egress", "redirect", "dev", device],
];

const isDevice = (name: string) => existsSync(`/sys/class/net/${name}`);

/**
 * Holds the link of a container to what its part has, or opens it.
 *
 * @param part its id
 * @param veth the host's end of the link
 * @param mbps megabits per second, each way, of all containers of the part; null: no limit
 * @returns whether it is so: false where the kernel lacks `ifb`, `tbf`, `u32` or `mirred`
 */
export async function limitPart(part: string, veth: string, mbps: number | null): Promise<boolean> {
  const { out, into } = devicesOf(part);
  // There may be nothing to delete.
  await run(["tc", "qdisc", "delete", "dev", veth, "clsact"]).catch(() => undefined);
  if (mbps === null) return true;
  try {
    for (const device of [out, into]) {
      await makeDevice(device);
      await run(shape(device, mbps));
    }
    await run(["tc", "qdisc", "add", "dev", veth, "clsact"]);
    await run(lead(veth, "ingress", out));
    await run(lead(veth, "egress", into));
    return true;
  } catch {
    return false;
  }
}

async function makeDevice(device: string): Promise<void> {
  if (!isDevice(device))
    await run(["ip", "link", "add", device, "type", "ifb"]).catch((error) => {
      // Another container of the part has made it meanwhile.
      if (!isDevice(device)) throw error;
    });
  await run(["ip", "link", "set", device, "up"]);
}

/** Removes the devices of a part without containers. */
export async function removePart(part: string): Promise<void> {
  for (const device of Object.values(devicesOf(part)))
    if (isDevice(device)) await run(["ip", "link", "delete", device]).catch(() => undefined);
}

/** In a network namespace that ends with the command. */
const PROBE = [
  "ip link add bp0 type ifb",
  "ip link set bp0 up",
  shape("bp0", 1).join(" "),
  "tc qdisc add dev lo clsact",
  lead("lo", "egress", "bp0").join(" "),
].join(" && ");
let canLimit: Promise<boolean> | null = null;

/** Whether the kernel can limit parts. Asked once. */
export function canLimitParts(): Promise<boolean> {
  canLimit ??= run(["unshare", "--net", "/bin/sh", "-c", PROBE]).then(
    () => true,
    () => false,
  );
  return canLimit;
}
