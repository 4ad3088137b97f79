import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { upstreamsOf } from "../resolvers.ts";
import { forward } from "./forward.ts";
import { frame, readFrames } from "./frames.ts";
import { failureReply, localReply, type NamedContainer } from "./local-reply.ts";

/**
 * The containers that one finds by name; null for an address that is no container's, which gets no reply.
 *
 * @param address of the container that asks: the host's rules drop packets with a forged one
 */
export type FindProject = (address: string) => readonly NamedContainer[] | null;

const PORT = 53;
/** Questions of one container that wait for other name servers: more are a flood, and get no reply. */
const PENDING_MAX = 64;
const CONNECTIONS_MAX = 256;
/** A program that asks over TCP asks at once. */
const IDLE_MS_MAX = 10_000;

type Protocol = "tcp" | "udp";

/**
 * The name server of a host's containers, under the address of the host's side of their links. It knows the containers of the one
 * that asks, and passes everything else on to the host's name servers.
 */
export class NameServer {
  #datagrams: DatagramSocket | null = null;
  #connections: Server | null = null;
  readonly #pending = new Map<string, number>();

  /** @param dns name servers that the operator chose; none: the host's */
  constructor(
    private readonly address: string,
    private readonly dns: readonly string[],
    private readonly findProject: FindProject,
  ) {}

  /** Listens, unless it does. @throws when another program has the port */
  async listen(): Promise<void> {
    if (this.#datagrams !== null) return;
    const datagrams = createSocket("udp4");
    const connections = createServer((socket) => this.#serve(socket));
    connections.maxConnections = CONNECTIONS_MAX;
    try {
      datagrams.bind(PORT, this.address);
      await once(datagrams, "listening");
      connections.listen(PORT, this.address);
      await once(connections, "listening");
    } catch (error) {
      datagrams.close();
      connections.close();
      throw error;
    }
    datagrams.on("message", async (query, { address, port }) => {
      const reply = await this.#reply(query, address, "udp");
      if (reply !== null && this.#datagrams === datagrams)
        datagrams.send(reply, port, address, () => undefined);
    });
    // A container that does not wait for its reply causes an error, which is no concern of the others.
    for (const socket of [datagrams, connections]) socket.on("error", () => undefined);
    this.#datagrams = datagrams;
    this.#connections = connections;
  }

  close(): void {
    this.#datagrams?.close();
    this.#connections?.close();
    this.#datagrams = null;
    this.#connections = null;
  }

  #serve(socket: Socket): void {
    const { remoteAddress = "" } = socket;
    socket.setTimeout(IDLE_MS_MAX, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    readFrames(socket, async (query) => {
      const reply = await this.#reply(query, remoteAddress, "tcp");
      if (reply === null) socket.destroy();
      else if (!socket.destroyed) socket.write(frame(reply));
    });
  }

  /** Null: none, since it is no question, or no container's. */
  async #reply(query: Buffer, from: string, protocol: Protocol): Promise<Buffer | null> {
    const project = this.findProject(from);
    if (project === null) return null;
    try {
      return localReply(query, project) ?? (await this.#forward(query, from, protocol));
    } catch {
      return null;
    }
  }

  async #forward(query: Buffer, from: string, protocol: Protocol): Promise<Buffer | null> {
    const pending = this.#pending.get(from) ?? 0;
    if (pending >= PENDING_MAX) return null;
    this.#pending.set(from, pending + 1);
    try {
      return (await forward(query, await upstreamsOf(this.dns), protocol)) ?? failureReply(query);
    } finally {
      const left = (this.#pending.get(from) ?? 1) - 1;
      if (left === 0) this.#pending.delete(from);
      else this.#pending.set(from, left);
    }
  }
}
