import type { ExecTarget } from "../../../agents/exec/target.ts";

/** What the agent did with a program whose output it reads as a stream. */
export interface CountedProgram {
  /** How many bytes of its output were read. */
  readBytes: number;
  /** How many such programs ran after its start, itself among them. */
  readonly runningAtStart: number;
}

/** Counts the programs that an `ExecTarget` streams, and what is read of them. */
export function countPrograms(target: ExecTarget): { target: ExecTarget; programs: CountedProgram[] } {
  const programs: CountedProgram[] = [];
  let running = 0;
  return {
    programs,
    target: {
      ...target,
      stream(request, input) {
        const program = target.stream(request, input);
        running += 1;
        const counted: CountedProgram = { readBytes: 0, runningAtStart: running };
        programs.push(counted);
        let isRunning = true;
        const end = () => {
          if (isRunning) running -= 1;
          isRunning = false;
        };
        void program.exited.finally(end);
        const reader = program.stdout.getReader();
        const stdout = new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            async pull(controller) {
              const { value, done } = await reader.read();
              if (done) return controller.close();
              counted.readBytes += value.length;
              controller.enqueue(value);
            },
            cancel: (reason) => reader.cancel(reason),
          },
          // Nothing is read before it is asked for.
          { highWaterMark: 0 },
        );
        return {
          stdout,
          exited: program.exited,
          kill() {
            end();
            program.kill();
          },
        };
      },
    },
  };
}
