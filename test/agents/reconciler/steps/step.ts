/** Kills this process at its n-th step since `begin`. */

let left = Number.POSITIVE_INFINITY;

/** Counts from here on. @param killAt the step before which it is killed */
export function begin(killAt: number): void {
  left = killAt;
}

export function step(what: string): void {
  if (left === Number.POSITIVE_INFINITY) return;
  left -= 1;
  if (left > 0) return;
  // For who reads why a test has failed.
  console.error(`killed at: ${what}`);
  process.kill(process.pid, "SIGKILL");
}
