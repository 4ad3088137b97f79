/** How often a packet is sent: what is measured is known to so much. */
const EVERY_MS = 1;
/** A packet that is not back by then was dropped: there is one link in between, and a machine that may be busy. */
const BACK_MS_MAX = 250;

/** Sends packets to a container all the time, and knows which of them came back. */
export interface Probe {
  /** When the first packet was sent that never came back, once none comes back any more. @param sinceMs of what stops them */
  droppedAt(sinceMs: number): Promise<number>;
  /** Settles when packets come back. */
  flowing(): Promise<void>;
  close(): void;
}

export async function startProbe(address: string, port: number): Promise<Probe> {
  const sentMs: number[] = [];
  /** The newest packet that came back. */
  let back = -1;
  const socket = await Bun.udpSocket({
    connect: { hostname: address, port },
    socket: {
      data: (_socket, bytes) => {
        back = Math.max(back, bytes.readUInt32BE(0));
      },
      // A rejected packet is an error of the socket: as good as silence here.
      error: () => undefined,
    },
  });
  const timer = setInterval(() => {
    const packet = Buffer.alloc(4);
    packet.writeUInt32BE(sentMs.length);
    sentMs.push(performance.now());
    try {
      socket.send(packet);
    } catch {
      // This host is the sender, and is told at once that its packet is dropped.
    }
  }, EVERY_MS);
  const now = () => performance.now();

  return {
    async droppedAt(sinceMs) {
      for (;;) {
        await Bun.sleep(EVERY_MS);
        const firstLostMs = sentMs[back + 1];
        if (firstLostMs !== undefined && now() - Math.max(firstLostMs, sinceMs) > BACK_MS_MAX)
          return firstLostMs;
      }
    },
    async flowing() {
      const since = sentMs.length;
      while (back < since) await Bun.sleep(EVERY_MS);
    },
    close() {
      clearInterval(timer);
      socket.close();
    },
  };
}
