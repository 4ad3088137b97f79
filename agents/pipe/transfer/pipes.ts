import type { Exchange } from "../http/exchange.ts";
import type { Limits } from "../limits.ts";
import { PeerLimiter } from "../peer-limiter.ts";
import { readDownload, readReceiverCount } from "../query.ts";
import { Pipe, type Snapshot } from "./pipe.ts";
import { Receiver } from "./receiver.ts";
import { Sender } from "./sender.ts";
import { Watcher } from "./watcher.ts";

const NO_PEERS: Snapshot = { event: "waiting", data: { sender: false, receivers: 0, n: 1 } };

/** The pipes of all paths with peers. */
export class Pipes {
  readonly #pipes = new Map<string, Pipe>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #peers: PeerLimiter;
  #progressAt = 0;

  constructor(private readonly limits: Limits) {
    this.#peers = new PeerLimiter(limits);
  }

  /** The number of senders, receivers and watchers. */
  get peers(): number {
    return this.#peers.count;
  }

  get paths(): number {
    return this.#pipes.size;
  }

  /** @throws Refusal when there is no place; then nothing has changed */
  send(path: string, exchange: Exchange): void {
    const n = readReceiverCount(exchange.request.query);
    this.#pipes.get(path)?.checkSender(n);
    const release = this.#peers.enter(exchange.address);
    try {
      const sender = new Sender(exchange, n, this.#peers, release);
      this.#pipe(path).addSender(sender);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** @throws Refusal when there is no place; then nothing has changed */
  receive(path: string, exchange: Exchange): void {
    const { query } = exchange.request;
    const n = readReceiverCount(query);
    const download = readDownload(query);
    this.#pipes.get(path)?.checkReceiver(n);
    const receiver = new Receiver(exchange, n, download, this.#peers.enter(exchange.address));
    this.#pipe(path).addReceiver(receiver);
  }

  /** @throws Refusal when there is no place */
  watch(path: string, exchange: Exchange): void {
    const gone = (watcher: Watcher) => {
      const watchers = this.#watchers.get(path);
      watchers?.delete(watcher);
      if (watchers?.size === 0) this.#watchers.delete(path);
    };
    const watcher = new Watcher(exchange, this.limits, gone, this.#peers.enter(exchange.address));
    const watchers = this.#watchers.get(path);
    if (watchers === undefined) this.#watchers.set(path, new Set([watcher]));
    else watchers.add(watcher);
    watcher.begin(this.#pipes.get(path)?.snapshot() ?? NO_PEERS);
  }

  /** Sends progress to the watchers, and enforces time limits. */
  enforceTimeouts(now: number): void {
    if (now - this.#progressAt < this.limits.progressMs) return;
    this.#progressAt = now;
    for (const path of this.#watchers.keys()) {
      const progress = this.#pipes.get(path)?.progress(now);
      if (progress !== undefined) this.#notify(path, progress);
    }
  }

  #pipe(path: string): Pipe {
    const existing = this.#pipes.get(path);
    if (existing !== undefined) return existing;
    const pipe: Pipe = new Pipe(this.limits, {
      changed: (snapshot) => this.#notify(path, snapshot),
      empty: () => {
        if (this.#pipes.get(path) === pipe) this.#pipes.delete(path);
      },
    });
    this.#pipes.set(path, pipe);
    return pipe;
  }

  #notify(path: string, snapshot: Snapshot): void {
    for (const watcher of [...(this.#watchers.get(path) ?? [])]) watcher.write(snapshot);
  }
}
