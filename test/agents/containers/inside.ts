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
  const child = Bun.spawn(await byRuntime(pid, line), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

/** By the OCI runtime that the container's supervisor, its init's parent, has started it with. */
async function byRuntime(pid: number, line: string): Promise<string[]> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? "";
  const supervisor = (await Bun.file(`/proc/${parent}/cmdline`).text()).split("\0");
  const runtime = supervisor[supervisor.indexOf("--runtime") + 1] ?? "";
  const words = supervisor.filter((_word, at) => supervisor[at - 1] === "--runtime-arg");
  const id = supervisor[supervisor.indexOf("--cid") + 1] ?? "";
  return [
    ...["nsenter", `--mount=/proc/${parent}/ns/mnt`, runtime, ...words],
    ...["exec", id, "/bin/sh", "-c", line],
  ];
}

/** The same, for what must work: its stdout. */
export async function output(pid: number, line: string): Promise<string> {
  const { stdout, stderr, code } = await inside(pid, line);
  if (code !== 0) throw new CommandError(`in the container: ${line}: ${stderr}`);
  return stdout.trim();
}
