import { expect, test } from "bun:test";
import type { ExecTarget } from "../../../agents/exec/target.ts";
import { DisplayError, ensureDisplay } from "../../../agents/exec/x-display.ts";

/** A machine on which the look for the display ends like this. */
const machineWith = (outcome: { code: number | null; boundMet: "deadline" | null }) =>
  ({ run: async () => ({ stdout: "", stderr: "", ...outcome }) }) as unknown as ExecTarget;

const errorOf = (outcome: Parameters<typeof machineWith>[0]): Promise<unknown> =>
  ensureDisplay(machineWith(outcome), 1, { user: null, with: "nothing", isShared: false }).then(
    () => null,
    (error: unknown) => error,
  );

test.each([
  [20, false],
  [21, false],
  [22, false],
  [23, false],
  [24, true],
])("a display whose start ends with %i is tried again by itself: %p", async (code, isTemporary) => {
  const error = await errorOf({ code, boundMet: null });
  expect(error).toBeInstanceOf(DisplayError);
  expect(error).toMatchObject({ isTemporary });
});

test("a start that takes too long is tried again by itself", async () => {
  expect(await errorOf({ code: null, boundMet: "deadline" })).toMatchObject({ isTemporary: true });
});
