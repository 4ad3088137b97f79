import type { Benchmark } from "./benchmark.ts";
import { benchTransfers } from "./wallet/bench.ts";

/** Nobody waits for a lock: what is measured is the cost of a commit, alone or in company. */
export const walletSpread: Benchmark = {
  summary: "Durable transfers over HTTP, from 10,000 wallets at random",
  run: (options) =>
    benchTransfers(
      10_000,
      [
        { title: "10,000 wallets, 64 clients, keyed", clients: 64, hasClientKey: true },
        { title: "10,000 wallets, 256 clients, keyed", clients: 256, hasClientKey: true },
        { title: "10,000 wallets, 64 clients, without keys", clients: 64, hasClientKey: false },
      ],
      options,
    ),
};
