const BROWSERS = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari)\/(\d+)/;
const SYSTEMS = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/;

/** The program that a header `User-Agent` names: "Chrome 130 on Linux"; of one that is no browser its own first word. */
export function programName(userAgent: string | null): string {
  if (userAgent === null) return "an unknown program";
  const browser = BROWSERS.exec(userAgent);
  const system = SYSTEMS.exec(userAgent)?.[1];
  if (browser === null) return userAgent.split(" ")[0] ?? userAgent;
  const name = { Edg: "Edge", OPR: "Opera", HeadlessChrome: "Chrome" }[browser[1] ?? ""] ?? browser[1];
  return `${name} ${browser[2]}${system === undefined ? "" : ` on ${system}`}`;
}
