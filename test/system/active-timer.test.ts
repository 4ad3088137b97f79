import { expect, test } from "bun:test";
import { ActiveTimer } from "../../system/active-timer.ts";
import { until } from "../harness/until.ts";

test("it looks while there is something to look at, and again once it is started again", async () => {
  let looks = 0;
  let left = 3;
  const timer = new ActiveTimer(1, () => {
    looks++;
    return --left > 0;
  });
  timer.start();
  // Twice is once.
  timer.start();
  await until(() => left === 0);
  let others = 0;
  const other = new ActiveTimer(1, () => ++others > 0);
  other.start();
  await until(() => others > 10);
  other.stop();
  expect(looks).toBe(3);
  left = 1;
  timer.start();
  await until(() => left === 0);
  expect(looks).toBe(4);
});
