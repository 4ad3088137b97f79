import { join } from "node:path";
import type { OrphanWatchdog } from "./orphan-watchdog.ts";

/** Lets test files share one control plane, which starts at the first request. */
export interface SharedStackServer {
  /**
   * Path of a Unix socket that answers HTTP: `/` returns the addresses of the control plane, `/number` a number that
   * was not returned before.
   */
  readonly socket: string;
  stop(): Promise<void>;
}

export function serveSharedStack(options: {
  readonly folder: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watchdog: OrphanWatchdog;
}): SharedStackServer {
  const { folder, root, env, watchdog } = options;
  let child: Bun.Subprocess<"pipe", "pipe", "inherit"> | undefined;

  const start = async (): Promise<string> => {
    child = Bun.spawn([process.execPath, join(root, "test/harness/shared-stack-process.ts")], {
      cwd: root,
      env: { ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    watchdog.watch(child.pid, "TERM");
    let text = "";
    for await (const bytes of child.stdout) {
      text += new TextDecoder().decode(bytes);
      if (text.includes("\n")) return text;
    }
    throw new Error(`it ended with code ${await child.exited}`);
  };

  const socket = join(folder, "stack.sock");
  let answer = () => new Response("it is starting", { status: 202 });
  let numbers = 0;
  const server = Bun.serve({
    unix: socket,
    // Replies at once, even while it starts: Bun closes connections that are idle for 10 s.
    fetch(request) {
      if (new URL(request.url).pathname === "/number") return Response.json(numbers++);
      if (child === undefined) {
        start().then(
          (address) => {
            answer = () => new Response(address);
          },
          (error: Error) => {
            answer = () => new Response(error.message, { status: 503 });
          },
        );
      }
      return answer();
    },
  });
  return {
    socket,
    async stop() {
      await server.stop(true);
      if (child === undefined) return;
      child.stdin.end();
      await child.exited;
      watchdog.forget(child.pid);
    },
  };
}
