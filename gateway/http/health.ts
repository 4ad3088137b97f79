import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EmptyReply, Reply } from "../../schemas/envelope.ts";
import { DomainError } from "../../schemas/errors.ts";
import { singleFlight } from "../../system/single-flight.ts";
import { open } from "../auth/guards.ts";
import { done, errors, ok } from "./envelope.ts";

/** The components that a process needs, and whether they are available. */
const Readiness = Type.Record(Type.String(), Type.Union([Type.Literal("up"), Type.Literal("down")]));
type Readiness = Static<typeof Readiness>;

/** A check for each component that a process needs. It resolves when the component responds. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

/** A component that does not respond in time counts as down; orchestrators often end a probe after a second. */
const READY_WITHIN_MS = 900;

/**
 * `/health/live`: this process responds. `/health/ready`: the components that it needs respond too, and it is not about to stop;
 * otherwise 503.
 */
export const health = (checks: Checks, isDraining: () => boolean = () => false) => {
  const boundedChecks = Object.entries(checks).map(
    ([component, check]) => [component, boundedCheck(check)] as const,
  );
  return new Elysia({ prefix: "/health", tags: ["Health"] })
    .use(
      open("probes of an orchestrator have no credential, and the reply holds no user's data", {
        counted: "none",
      }),
    )
    .get("/live", () => done("Alive"), {
      response: { 200: EmptyReply },
      detail: { summary: "Whether this process responds" },
    })
    .get(
      "/ready",
      async () => {
        const statuses = boundedChecks.map(async ([component, run]) => [component, await run()] as const);
        const components: Readiness = Object.fromEntries(await Promise.all(statuses));
        const down = Object.keys(components).filter((component) => components[component] === "down");
        if (isDraining()) throw new DomainError("UNAVAILABLE", "Not ready: it is about to stop", components);
        if (down.length === 0) return ok("Ready", components);
        throw new DomainError("UNAVAILABLE", `Not ready: ${down.join(" and ")} down`, components);
      },
      {
        response: { 200: Reply(Readiness), ...errors("UNAVAILABLE") },
        detail: {
          summary: "Whether this process can serve requests",
          description:
            "Responds within a second. 503 with the same `data` when a component is down, or when this process is about to stop.",
        },
      },
    );
};

/** Runs one check at a time, so that probes of a component that hangs do not pile up; each probe has its time limit. */
function boundedCheck(check: () => Promise<unknown>): () => Promise<"up" | "down"> {
  const run = singleFlight(() =>
    check().then(
      () => "up" as const,
      () => "down" as const,
    ),
  );
  return () => within(READY_WITHIN_MS, run());
}

async function within(ms: number, look: Promise<"up" | "down">): Promise<"up" | "down"> {
  const { promise: late, resolve } = Promise.withResolvers<"down">();
  const timer = setTimeout(() => resolve("down"), ms);
  try {
    return await Promise.race([look, late]);
  } finally {
    clearTimeout(timer);
  }
}
