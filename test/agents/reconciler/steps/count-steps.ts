import { step } from "./step.ts";

/** Imported before the agent: each program that it starts is a step, at which it may be killed. */

const spawn = Bun.spawn;
Bun.spawn = ((...args: Parameters<typeof spawn>) => {
  const child = spawn(...args);
  // The program is under way: it goes on without the agent.
  step(`start of ${args[0]}`);
  return child;
}) as typeof spawn;
