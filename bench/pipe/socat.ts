import { freePort } from "../../scripts/ports.ts";
import { SetupError } from "../../scripts/setup-error.ts";
import { until } from "../../test/harness/until.ts";
import type { Measurement } from "../benchmark.ts";
import { rate, type SparseFile, upload } from "./curls.ts";

/** What socat moves at once; its own default is 8 kB, which would make it slow. */
const BLOCK_BYTES = 131_072;

export function socatVersion(): string {
  if (Bun.which("socat") === null) throw new SetupError("socat is the peer here: apt-get install socat");
  const text = Bun.spawnSync(["socat", "-V"]).stdout.toString();
  return /socat version (\S+)/.exec(text)?.[1] ?? "unknown";
}

/**
 * The same curls with nothing between them that knows HTTP: socat passes on as many bytes as the file has. The receiving curl is made to take what comes as it is; it ends when socat does, and
 * the sender is told nothing.
 */
export async function measureSocat(file: SparseFile): Promise<Measurement> {
  const [from, to] = [await freePort(), await freePort()];
  const relay = Bun.spawn([
    "socat",
    "-b",
    `${BLOCK_BYTES}`,
    // The receiver's request goes nowhere. Left unread, it would make the end of its connection a reset.
    `TCP-LISTEN:${from},bind=127.0.0.1,reuseaddr,readbytes=${file.bytes}!!OPEN:/dev/null`,
    `TCP-LISTEN:${to},bind=127.0.0.1,reuseaddr`,
  ]);
  await until(() => isListening(from));
  const startedAt = performance.now();
  const sender = upload(file, `http://127.0.0.1:${from}/x`, "ignore");
  await until(() => isListening(to), { everyMs: 1 });
  const receiver = Bun.spawn(
    ["curl", "-sS", "--http0.9", "-o", "/dev/null", "-w", "%{size_download}", `http://127.0.0.1:${to}/x`],
    { stdout: "pipe" },
  );
  const size = Number(await new Response(receiver.stdout).text());
  const seconds = (performance.now() - startedAt) / 1_000;
  await relay.exited;
  sender.kill();
  await sender.exited;
  if (size !== file.bytes) throw new Error(`socat: of ${file.bytes} bytes the receiver got ${size}`);
  const { user = 0, system = 0 } = relay.resourceUsage()?.cpuTime ?? {};
  return rate(file.bytes / 1e6, seconds, { socat: (Number(user) + Number(system)) / 1e6 });
}

/** Without connecting, which socat would take for its one connection. */
async function isListening(port: number): Promise<boolean> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return (await Bun.file("/proc/net/tcp").text()).includes(`0100007F:${hex} 00000000:0000 0A`);
}
