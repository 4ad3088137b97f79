import type { Launch, SshTarget } from "../parameters/parse.ts";

const note = (text: string) => `\x1b[2mberth: ${text}\x1b[0m`;

/**
 * The lines that an SSH session shows before the host's output: which parameters have no effect over SSH, and what
 * `debug` and `welcome` request. They contain no value of a variable and no secret.
 */
export function describeSsh(
  { command, env, debug, welcome }: Pick<Launch, "command" | "env" | "debug" | "welcome">,
  { host, port, user, key, password, proxy, ignored }: SshTarget,
  terminalId: number,
): string[] {
  const lines: string[] = [];
  if (ignored.length > 0) lines.push(note(`over SSH these parameters mean nothing: ${ignored.join(", ")}`));
  if (debug) {
    const by = proxy === null ? "" : ` by the proxy ${proxy.host} port ${proxy.port}`;
    const credentials =
      [key && "a key", password && "a password"].filter(Boolean).join(" and ") || "no credentials";
    const names = Object.keys(env).join(" ") || "none";
    lines.push(note(`ssh to ${host} port ${port} as ${user}${by}, with ${credentials}`));
    lines.push(note(`environment, as far as the host takes it: ${names}`));
    lines.push(note(command === null ? "a shell" : "a command, then a shell"));
  }
  if (welcome) lines.push(`Welcome to terminal ${terminalId}.`);
  return lines;
}
