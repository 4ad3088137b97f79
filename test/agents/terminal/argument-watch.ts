import { readdirSync, readFileSync } from "node:fs";

/** What everybody on a machine can read of its processes: their arguments. */
const argumentsOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
};

/** The arguments of this machine's processes, of those in containers as well, that have a text in them. */
export const argumentsWith = (text: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(argumentsOf)
    .filter((line) => line.includes(text));

/**
 * Looks at the arguments of all processes for a text, over and over in a process of its own, so that it also sees what is there for
 * milliseconds. `seen` ends it.
 */
export async function watchArguments(text: string) {
  const watcher = Bun.spawn([process.execPath, import.meta.path], { stdin: "pipe", stdout: "pipe" });
  watcher.stdin.write(`${text}\n`);
  await watcher.stdin.flush();
  const reader = watcher.stdout.getReader();
  // It says when it has begun.
  await reader.read();
  return {
    async seen(): Promise<string[]> {
      await watcher.stdin.end();
      let said = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return JSON.parse(said);
        said += Buffer.from(value).toString();
      }
    },
    [Symbol.dispose]: () => watcher.kill(),
  };
}

if (import.meta.main) {
  const lines = console[Symbol.asyncIterator]();
  const text: string = (await lines.next()).value;
  let isOver = false;
  void lines.next().then(() => {
    isOver = true;
  });
  const seen = new Set<string>();
  const look = () => {
    for (const line of argumentsWith(text)) seen.add(line);
  };
  look();
  process.stdout.write("\n");
  while (!isOver) {
    look();
    await Bun.sleep(0);
  }
  process.stdout.write(JSON.stringify([...seen]));
}
