import type { Benchmark } from "./benchmark.ts";
import { benchTransfers } from "./wallet/bench.ts";

/** Everyone wants the same wallet: a row lock serves one commit at a time, an actor commits all who wait at once. */
export const walletHot: Benchmark = {
  summary: "Durable transfers over HTTP, all from one wallet",
  run: (options) =>
    benchTransfers(
      1,
      [
        { title: "1 wallet, 64 clients, keyed", clients: 64, hasClientKey: true },
        { title: "1 wallet, 64 clients, without keys", clients: 64, hasClientKey: false },
      ],
      options,
    ),
};
