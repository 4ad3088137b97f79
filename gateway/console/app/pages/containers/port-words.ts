/** What is wrong with ports as people write them, in their words; null: nothing. */

const PORT_MAX = 65_535;
const NUMBER = /^[1-9][0-9]{0,4}$/;

const isPort = (text: string): boolean => NUMBER.test(text) && Number(text) <= PORT_MAX;

const NO_PORT = "a port is a whole number from 1 to 65535";

/** Of a firewall's rule: `80,8000-8100`. */
export function portsFault(text: string): string | null {
  if (text.trim() === "") return null;
  const parts = text.split(",").map((part) => part.split("-").map((port) => port.trim()));
  if (parts.some(({ length }) => length > 2)) return "A range has two ports, such as 8000-8100.";
  const wrong = parts.flat().find((port) => !isPort(port));
  if (wrong === "") return "Something is missing: write 80, or 80,443, or 8000-8100.";
  if (wrong !== undefined) return `“${wrong}” is no port: ${NO_PORT}.`;
  return parts.some(([from, to = from]) => Number(to) < Number(from))
    ? "A range begins with its lower port."
    : null;
}

const NAME = /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/;
const PROTOCOLS = ["http", "https", "ssh", "tcp", "udp"];

/** Of a container: `web=8080` on each line, or `database=5432/tcp`. */
export function namedPortsFault(text: string): string | null {
  const lines = text.split("\n").map((line) => line.trim());
  const names = lines.map((line) => line.split("=")[0]?.trim() ?? "");
  for (const [index, line] of lines.entries()) {
    const fault = line === "" ? null : lineFault(line, names.slice(0, index));
    if (fault !== null) return `Line ${index + 1}: ${fault}.`;
  }
  return null;
}

function lineFault(line: string, former: readonly string[]): string | null {
  const [, name = "", port = "", , protocol] = /^([^=]*)=([^/]*)(\/(.*))?$/.exec(line) ?? [];
  if (!line.includes("=")) return "a name, = and a port, such as web=8080";
  if (!NAME.test(name.trim()))
    return "a name has small letters, digits and hyphens, and begins with a letter";
  if (former.includes(name.trim())) return `“${name.trim()}” stands on a line above`;
  if (!isPort(port.trim())) return NO_PORT;
  return protocol === undefined || PROTOCOLS.includes(protocol.trim())
    ? null
    : "after / stands http, https, ssh, tcp or udp";
}
