import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EmptyReply, Reply } from "../../schemas/envelope.ts";
import { DomainError } from "../../schemas/errors.ts";
import { singleFlight } from "../../system/single-flight.ts";
import { open } from "../auth/guards.ts";
import { done, errors, ok } from "./envelope.ts";

/** What a process needs to serve, and whether it has it now. */
const Readiness = Type.Record(Type.String(), Type.Union([Type.Literal("up"), Type.Literal("down")]));
type Readiness = Static<typeof Readiness>;

/** A check for each component that a process needs: it resolves where the component answers. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

/** A component that does not even answer is down; an orchestrator's own probe often gives up after a second. */
const READY_WITHIN_MS = 900;

/** `/health/live`: this process answers. `/health/ready`: so does everything that it needs, by component; else 503. */
export const health = (checks: Checks) => {
  const looks = Object.entries(checks).map(([component, check]) => [component, boundedCheck(check)] as const);
  return new Elysia({ prefix: "/health", tags: ["Health"] })
    .use(
      open("probes of an orchestrator have no credential, and the answer tells of nobody", {
        counted: "none",
      }),
    )
    .get("/live", () => done("Alive"), {
      response: { 200: EmptyReply },
      detail: { summary: "Whether this process answers" },
    })
    .get(
      "/ready",
      async () => {
        const found = looks.map(async ([component, look]) => [component, await look()] as const);
        const components: Readiness = Object.fromEntries(await Promise.all(found));
        const away = Object.keys(components).filter((component) => components[component] === "down");
        if (away.length === 0) return ok("Ready", components);
        throw new DomainError("UNAVAILABLE", `Not ready: ${away.join(" and ")} away`, components);
      },
      {
        response: { 200: Reply(Readiness), ...errors("UNAVAILABLE") },
        detail: {
          summary: "Whether this process can serve",
          description: "Answers within a second. 503 with the same `data` where a component is down.",
        },
      },
    );
};

/** One check at a time: probes of a component that hangs must not pile up. Each waits for as long as a probe may. */
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
