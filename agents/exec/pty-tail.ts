/** A program that has ended leaves what it wrote in the kernel's buffer, which is read within milliseconds. */
const TAIL_QUIET_MS = 50;
/** Unless a background job goes on writing. */
const TAIL_MS_MAX = 2_000;

/** Settles when what a program wrote before its end, which is now, has been read. */
export async function tailRead(pty: {
  /** When there was output last, by `performance.now()`. */
  readonly lastOutput: number;
  readonly isClosed: boolean;
}): Promise<void> {
  const exitedAt = performance.now();
  for (;;) {
    const now = performance.now();
    const quietSince = Math.max(pty.lastOutput, exitedAt);
    if (pty.isClosed || now - quietSince > TAIL_QUIET_MS || now - exitedAt > TAIL_MS_MAX) return;
    await Bun.sleep(TAIL_QUIET_MS / 5);
  }
}
