import { berth } from "../terminal-contenders.ts";
import type { Streams } from "./streams.ts";

/** What a process of terminals holds at most, and a little room. */
const PER_PROCESS = 250;
/** Shells that start at a time. */
const OPENING_MAX = 8;

/** Processes of terminals, with nothing open yet. */
export interface Terminals {
  readonly pids: readonly number[];
  open(): Promise<Streams>;
  stop(): Promise<void>;
}

export async function startTerminals(count: number): Promise<Terminals> {
  const servers = await Promise.all(
    Array.from({ length: Math.ceil(count / PER_PROCESS) }, () => berth.start()),
  );
  return {
    pids: servers.map(({ pid }) => pid),
    async open() {
      const clients: Streams[] = [];
      let next = 0;
      const openSome = async () => {
        for (let at = next++; at < count; at = next++) {
          const server = servers[at % servers.length];
          if (server !== undefined) clients.push(await server.open());
        }
      };
      await Promise.all(Array.from({ length: OPENING_MAX }, openSome));
      return {
        close() {
          for (const client of clients) client.close();
        },
      };
    },
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}
