import { readFile } from "node:fs/promises";

/**
 * The resolv.conf of a container: the host's name servers, except those on its loopback interface, which the
 * container cannot reach.
 *
 * @param dns name servers that the operator chose instead
 */
export async function resolvers(dns: readonly string[]): Promise<string> {
  if (dns.length > 0) return dns.map((address) => `nameserver ${address}\n`).join("");
  for (const path of ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]) {
    const text = await readFile(path, "utf8").catch(() => "");
    const lines = text
      .split("\n")
      .filter(
        (line) => /^(nameserver|search|options)\s/.test(line) && !/^nameserver\s+(127\.|::1)/.test(line),
      );
    if (lines.some((line) => line.startsWith("nameserver"))) return `${lines.join("\n")}\n`;
  }
  return "";
}
