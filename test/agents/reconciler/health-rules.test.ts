import { expect, test } from "bun:test";
import { healthCheckOf } from "../../../agents/containers/images/health-check.ts";
import type { ImageConfig } from "../../../agents/containers/images/manifest.ts";
import { afterCheck, type HealthCount, healthPlan } from "../../../agents/reconciler/health-rules.ts";
import { NO_HEALTH_CHECK } from "../../../schemas/hosting/health-check.ts";

/** What makes a container healthy or unhealthy. */

const checkOf = (Healthcheck: object, Shell?: string[]) =>
  healthCheckOf({
    ...{ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [] } },
    config: { Healthcheck, ...(Shell && { Shell }) },
  } as ImageConfig);
const SECOND = 1e9;

test("an image's check is Docker's: a program, a line for the image's shell, or none", () => {
  expect(checkOf({ Test: ["CMD", "curl", "-f", "localhost"] })?.argv).toEqual(["curl", "-f", "localhost"]);
  expect(checkOf({ Test: ["CMD-SHELL", "a || b"] })?.argv).toEqual(["/bin/sh", "-c", "a || b"]);
  expect(checkOf({ Test: ["CMD-SHELL", "a"] }, ["/bin/ash", "-ec"])?.argv).toEqual(["/bin/ash", "-ec", "a"]);
  for (const none of [{}, { Test: [] }, { Test: ["NONE"] }, { Test: ["CMD"] }])
    expect(checkOf(none)).toBeNull();
});

test("a container's own words take the place of its image's one by one, and Docker's stand for the rest", () => {
  const ofImage = checkOf({ Test: ["CMD", "ok"], Interval: 5 * SECOND, Timeout: 2 * SECOND, Retries: 7 });
  const plan = healthPlan({ ...NO_HEALTH_CHECK, timeout_seconds: 9, restart: true }, ofImage);
  expect(plan).toEqual({
    ...{ argv: ["ok"], intervalMs: 5_000, timeoutMs: 9_000, retries: 7, restart: true },
    ...{ startPeriodMs: 0, startIntervalMs: 5_000 },
  });
  expect(healthPlan({ ...NO_HEALTH_CHECK, command: ["mine"] }, null)).toMatchObject({
    ...{ argv: ["mine"], intervalMs: 30_000, timeoutMs: 30_000, retries: 3, restart: false },
  });
  expect(healthPlan({ ...NO_HEALTH_CHECK, enabled: false }, ofImage)).toBeNull();
  expect(healthPlan(NO_HEALTH_CHECK, null)).toBeNull();
  // An image cannot have its host start a process a millisecond.
  expect(healthPlan(undefined, checkOf({ Test: ["CMD", "x"], Interval: 1e6 }))?.intervalMs).toBe(1_000);
});

test("so many failures in a row make it unhealthy, one success healthy, and none count while it starts", () => {
  const run = (checks: string, isStarting = false) =>
    [...checks].reduce<HealthCount>((count, one) => afterCheck(count, one === "+", isStarting, 3), {
      ...{ state: "starting", failures: 0 },
    }).state;
  expect(run("--")).toBe("starting");
  expect(run("---")).toBe("unhealthy");
  expect(run("--+--")).toBe("healthy");
  expect(run("+---")).toBe("unhealthy");
  expect(run("---+")).toBe("healthy");
  expect(run("-----", true)).toBe("starting");
  // The first success ends the time to come up.
  expect(run("--+---", true)).toBe("unhealthy");
});
