/** What a transfer takes of each process: a part for each commit, and a part for each transfer in it. */

export interface Cost {
  /** Milliseconds of CPU. */
  readonly perCommit: number;
  readonly perTransfer: number;
}

export const PARTS = ["gateway", "actor host", "NATS", "PostgreSQL", "load generator"] as const;
export type Part = (typeof PARTS)[number];
export type Costs = Readonly<Record<Part, Cost>>;

/** A load as it was measured. */
export interface Sample {
  readonly clients: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  /** How many transfers a commit held. */
  readonly batch: number;
  /** From the begin of a commit to its end. */
  readonly commitMs: number;
  readonly cpuMsPerThousand: Readonly<Record<string, number>>;
  /** Bytes of WAL that a transfer wrote. */
  readonly walBytes: number;
}

/**
 * The costs that explain the samples best, by least squares of the relative error. Neither part is below zero.
 *
 * @param samples two or more, of different batches
 */
export function fitCosts(samples: readonly Sample[]): Costs {
  const fit = (part: Part) =>
    fitCost(
      samples.map(({ batch, cpuMsPerThousand }) => ({
        batch,
        cpuMs: (cpuMsPerThousand[part] ?? 0) / 1_000,
      })),
    );
  return Object.fromEntries(PARTS.map((part) => [part, fit(part)])) as Record<Part, Cost>;
}

/** @param points the CPU of one transfer in commits of so many */
export function fitCost(points: readonly { readonly batch: number; readonly cpuMs: number }[]): Cost {
  // cpuMs = perTransfer + perCommit / batch, each weighted by 1 / cpuMs.
  let [ww, wx, xx, wy, xy] = [0, 0, 0, 0, 0];
  for (const { batch, cpuMs } of points) {
    if (cpuMs <= 0) continue;
    const [w, x] = [1 / cpuMs, 1 / batch / cpuMs];
    ww += w * w;
    wx += w * x;
    xx += x * x;
    wy += w;
    xy += x;
  }
  if (ww === 0) return { perTransfer: 0, perCommit: 0 };
  const determinant = ww * xx - wx * wx;
  const perTransfer = (wy * xx - xy * wx) / determinant;
  const perCommit = (ww * xy - wx * wy) / determinant;
  if (perCommit < 0) return { perTransfer: wy / ww, perCommit: 0 };
  if (perTransfer < 0) return { perTransfer: 0, perCommit: xy / xx };
  return { perTransfer, perCommit };
}
