/**
 * Claims on what a machine has once: subnets and addresses that tests give to containers. A claim is a port of the loopback interface that this process listens on,
 * so that no other test process of the machine, of whichever checkout, has the same number, and the claim ends with the process, however that ends.
 */

/** Below the ports that the system gives to outgoing connections. Each resource has a range of its own. */
const RANGES = {
  /** /28 networks of 10.79.0.0/16 and 127.79.0.0/16 */
  subnet: { from: 16_000, count: 4_096 },
  /** networks of a peer beside the containers, 10.78.n.0/24 */
  peer: { from: 20_200, count: 250 },
  /** /24 networks of 10.80.0.0/16 and 10.81.0.0/16 */
  network: { from: 20_500, count: 256 },
  /** addresses of 10.76.0.0/24 */
  denied: { from: 20_800, count: 250 },
} as const;

/** The port that stands for a number. */
export const claimPort = (resource: keyof typeof RANGES, number: number): number =>
  RANGES[resource].from + number;

/** A number from 0 on that no other test process has now. */
export function claimNumber(resource: keyof typeof RANGES): number {
  const { count } = RANGES[resource];
  // Processes that look at the same moment begin elsewhere.
  const first = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried++) {
    const number = (first + tried) % count;
    try {
      const listener = Bun.listen({
        hostname: "127.0.0.1",
        port: claimPort(resource, number),
        exclusive: true,
        socket: { open: (socket) => void socket.end(), data: () => undefined },
      });
      listener.unref();
      return number;
    } catch {
      // Another process has it, or something else of this machine listens there.
    }
  }
  throw new Error(`all ${count} numbers of ${resource} are claimed`);
}
