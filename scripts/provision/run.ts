/** Long enough for a package list over a slow line. */
const LIMIT_MS = 300_000;

/** Runs a program to its end. Returns undefined when it succeeded, else the last line of its output. */
export async function failureOf(argv: string[], cwd = "/"): Promise<string | undefined> {
  const child = Bun.spawn(argv, {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: LIMIT_MS,
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return undefined;
  return said.trim().split("\n").at(-1) || `${argv[0]} ended with code ${child.exitCode}`;
}
