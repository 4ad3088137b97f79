import { CommandError } from "../../../agents/exec/command.ts";

/** What a command in a container wrote and how it ended. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/**
 * Runs a shell line as the container's own processes would: in its namespaces and its root, with the capabilities
 * that its init has left.
 *
 * @param pid of its init, as the host sees it
 */
export async function inside(pid: number, line: string): Promise<Outcome> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const bounding = BigInt(`0x${/CapBnd:\s*([0-9a-f]+)/.exec(status)?.[1] ?? 0}`);
  const kept = [...Array(64).keys()]
    .filter((bit) => (bounding >> BigInt(bit)) & 1n)
    .map((bit) => `+cap_${bit}`);
  const child = Bun.spawn(
    [
      ...["nsenter", "-t", String(pid), "-m", "-u", "-i", "-n", "-p"],
      ...["setpriv", "--bounding-set", ["-all", ...kept].join(","), "--inh-caps=-all"],
      ...["chroot", "/container", "/bin/sh", "-c", line],
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

/** The same, for what must work: its stdout. */
export async function output(pid: number, line: string): Promise<string> {
  const { stdout, stderr, code } = await inside(pid, line);
  if (code !== 0) throw new CommandError(`in the container: ${line}: ${stderr}`);
  return stdout.trim();
}
