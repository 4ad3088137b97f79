import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a container or a host has used: CPU time and network bytes count up, the rest is of the moment. Null: it is not known. */
export interface UsageCounters {
  readonly cpuMicros: number | null;
  readonly memoryBytes: number | null;
  readonly diskBytes: number | null;
  readonly receivedBytes: number | null;
  readonly sentBytes: number | null;
}

const INTERFACES = "/sys/class/net";

/** The bytes that a network interface has received and sent. */
export async function interfaceBytes(
  name: string,
): Promise<Pick<UsageCounters, "receivedBytes" | "sentBytes">> {
  const read = async (file: string) => {
    const text = await readFile(join(INTERFACES, name, "statistics", file), "utf8").catch(() => "");
    return /^\d+\s*$/.test(text) ? Number(text) : null;
  };
  const [receivedBytes, sentBytes] = await Promise.all([read("rx_bytes"), read("tx_bytes")]);
  return { receivedBytes, sentBytes };
}
