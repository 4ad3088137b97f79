import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Text } from "../text.ts";

/** Checks of whether a container's program works (docs/containers.md). */

export const HEALTH_STATES = ["starting", "healthy", "unhealthy"] as const;

/** What neither the container nor its image says: Docker's. */
export const HEALTH_CHECK_STANDARD = {
  ...{ interval_seconds: 30, timeout_seconds: 30 },
  ...{ start_period_seconds: 0, retries: 3 },
} as const;

/** As long as any command in a container may take. */
const TIMEOUT_SECONDS_MAX = 300;
const DAY_SECONDS = 86_400;
const RETRIES_MAX = 100;
const ofImage = (standard: number) => `null: the image's, or ${standard}`;

export const HealthCheck = Type.Object({
  enabled: Type.Boolean({ description: "false: no check is run, also not that of the image" }),
  command: Type.Array(Text({ maxLength: 4_096 }), {
    maxItems: 64,
    description:
      'a program and its arguments, run as the container\'s own program: with its user, variables and folder. Status 0 is healthy. No shell reads it; for a shell line, name the shell: `["sh", "-c", "…"]`. Empty: the check of the image',
  }),
  interval_seconds: Nullable(
    Type.Integer({
      ...{ minimum: 1, maximum: DAY_SECONDS },
      description: `the pause before each check; ${ofImage(HEALTH_CHECK_STANDARD.interval_seconds)}`,
    }),
  ),
  timeout_seconds: Nullable(
    Type.Integer({
      ...{ minimum: 1, maximum: TIMEOUT_SECONDS_MAX },
      description: `a check that takes longer is ended and has failed; ${ofImage(HEALTH_CHECK_STANDARD.timeout_seconds)}`,
    }),
  ),
  start_period_seconds: Nullable(
    Type.Integer({
      ...{ minimum: 0, maximum: DAY_SECONDS },
      description: `how long the program may take to come up: checks that fail in this time do not count, and the first success ends it; ${ofImage(HEALTH_CHECK_STANDARD.start_period_seconds)}`,
    }),
  ),
  retries: Nullable(
    Type.Integer({
      ...{ minimum: 1, maximum: RETRIES_MAX },
      description: `so many failures in a row make it unhealthy; ${ofImage(HEALTH_CHECK_STANDARD.retries)}`,
    }),
  ),
  restart: Type.Boolean({
    description:
      "true: a container that becomes unhealthy is stopped and started again, whatever its restart policy",
  }),
});
export type HealthCheck = Static<typeof HealthCheck>;

/** What a container has that was created without a word about it: its image's check. */
export const NO_HEALTH_CHECK: HealthCheck = {
  ...{ enabled: true, command: [] },
  ...{ interval_seconds: null, timeout_seconds: null, start_period_seconds: null, retries: null },
  restart: false,
};

export const AskedHealthCheck = Strict(Type.Partial(HealthCheck).properties, {
  description: "whether its program works. What is left out is the image's, as with Docker",
});

const MESSAGE_LENGTH_MAX = 300;
export const ContainerHealth = Type.Object({
  state: OneOf(
    HEALTH_STATES,
    "`starting`: no check has succeeded yet, and not enough have failed to call it unhealthy",
  ),
  message: Nullable(
    Type.String({
      maxLength: MESSAGE_LENGTH_MAX,
      description: "why it is unhealthy: how the last check failed, with the end of its output",
    }),
  ),
  since: Timestamp,
});
export type ContainerHealth = Static<typeof ContainerHealth>;
export const HEALTH_MESSAGE_LENGTH_MAX = MESSAGE_LENGTH_MAX;
