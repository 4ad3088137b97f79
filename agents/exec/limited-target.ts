import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { ExecTarget } from "./target.ts";

/** How many programs run at the same time. */
export interface ProgramLimiters {
  /** Short programs, which wait for their turn. */
  readonly runs: ConcurrencyLimiter;
  /** Programs between two streams, which may go on for hours. */
  readonly streams: ConcurrencyLimiter;
}

/** An ExecTarget that runs a limited number of programs for its owner; past the limit `run` and `stream` throw Overloaded. */
export const limitPrograms = (
  target: ExecTarget,
  owner: string,
  { runs, streams }: ProgramLimiters,
): ExecTarget => ({
  canBecome: (user) => target.canBecome(user),
  isProtected: (pid) => target.isProtected(pid),
  spawn: (request) => target.spawn(request),
  adopt: (started) => target.adopt(started),

  async run(request) {
    const release = await runs.acquire(owner);
    try {
      return await target.run(request);
    } finally {
      release();
    }
  },

  stream(request, input) {
    const release = streams.acquireNow(owner);
    try {
      const program = target.stream(request, input);
      void program.exited.then(release, release);
      return program;
    } catch (error) {
      release();
      throw error;
    }
  },
});
