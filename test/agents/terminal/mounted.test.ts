import { expect, test } from "bun:test";
import { hostExecTarget } from "../../../agents/exec/host.ts";
import type { ExecTarget, RunRequest } from "../../../agents/exec/target.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { startService } from "./service.ts";

/** Namespaces of an init process, which a program enters: as a container's are, though with less around it. */
async function startContainer() {
  const init = Bun.spawn(
    [
      "unshare",
      "--uts",
      "--pid",
      "--mount",
      "--fork",
      "--mount-proc",
      "sh",
      "-c",
      "hostname inside; sleep 1000",
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  const childrenOf = (pid: number) => Bun.file(`/proc/${pid}/task/${pid}/children`).text();
  const isInside = (pid: string) =>
    Bun.spawnSync(["nsenter", "-t", pid, "-u", "hostname"]).stdout.toString().trim() === "inside";
  const pid = await until(async () => (await childrenOf(init.pid)).trim().split(" ").find(isInside));
  const enter = <Request extends RunRequest>(request: Request): Request => ({
    ...request,
    argv: ["nsenter", "-t", pid, "--uts", "--pid", "--mount", ...request.argv],
  });
  const machine: ExecTarget = {
    canBecome: () => false,
    isProtected: (one) => one === 1,
    adopt: (started) => started,
    async spawn(request) {
      const entered = await hostExecTarget.spawn(enter(request));
      // No text is a value too, as `until` sees it.
      const inner = await until(async () => (await childrenOf(entered.pid)).trim() || null);
      const status = await Bun.file(`/proc/${inner}/status`).text();
      return { ...entered, pid: Number(/NSpid:.*\t(\d+)\n/.exec(status)?.[1]) };
    },
    run: (request) => hostExecTarget.run(enter(request)),
    stream: (request, input) => hostExecTarget.stream(enter(request), input),
  };
  return {
    machine,
    async [Symbol.asyncDispose]() {
      process.kill(Number(pid), "SIGKILL");
      await init.exited;
    },
  };
}

test.skipIf(lacks("root", "unshare"))(
  "a mounted terminal runs everything where its machine says, and sees no process outside of it",
  async () => {
    await using container = await startContainer();
    await using service = startService({ target: container.machine });
    const client = await service.open("terminal_id=7");
    client.type("echo on $(hostname), $(ps -e | wc -l) processes, $(cat /proc/1/comm)\n");
    await client.shows(/on inside, [1-9] processes, (sh|sleep)/);
    client.type(`cd ${temporaryFolder()}; echo mo''ved\n`);
    await client.shows("moved");
    const at = `${service.origin}/api/v1/terminal/sessions/7/files`;
    expect((await fetch(`${at}?name=file`, { method: "PUT", body: "x" })).status).toBe(201);
    client.type("ls -1; cd /\n");
    await client.shows(/\nfile\n/);
    const outside = await service.page({ terminal_id: "8", pid: String(process.pid) });
    expect(await outside.json()).toMatchObject({ message: "pid: is no process of yours" });
    const other = await service.page({ terminal_id: "8", user: "nobody" });
    expect(await other.json()).toMatchObject({
      message: "user: this service may not start a shell as this user",
    });
  },
);
