import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EmptyReply, Reply } from "../../schemas/envelope.ts";
import { DomainError } from "../../schemas/errors.ts";
import { done, errors, ok } from "./envelope.ts";

/** What a process needs to serve, and whether it has it now. */
export const Readiness = Type.Record(Type.String(), Type.Union([Type.Literal("up"), Type.Literal("down")]));
export type Readiness = Readonly<Static<typeof Readiness>>;

/** A dependency that does not even answer is down; an orchestrator's own probe often gives up after a second. */
const READY_WITHIN_MS = 900;

/** `/health/live`: this process answers. `/health/ready`: so does everything that it needs, by component; else 503. */
export const health = (ready: () => Promise<Readiness>) =>
  new Elysia({ prefix: "/health", tags: ["Health"] })
    .get("/live", () => done("Alive"), {
      response: { 200: EmptyReply },
      detail: { summary: "Whether this process answers" },
    })
    .get(
      "/ready",
      async () => {
        const components = await within(READY_WITHIN_MS, ready());
        if (Object.values(components).every((state) => state === "up")) return ok("Ready", components);
        throw new DomainError("UNAVAILABLE", "Not ready", components);
      },
      {
        response: { 200: Reply(Readiness), ...errors("UNAVAILABLE") },
        detail: {
          summary: "Whether this process can serve",
          description: "503 with the same `data` where a component is down.",
        },
      },
    );

/** A check that fails or takes too long says which component it was only by its absence: all of it is down. */
async function within(ms: number, check: Promise<Readiness>): Promise<Readiness> {
  const down: Readiness = { check: "down" };
  const { promise: late, resolve } = Promise.withResolvers<Readiness>();
  const timer = setTimeout(() => resolve(down), ms);
  try {
    return await Promise.race([check.catch(() => down), late]);
  } finally {
    clearTimeout(timer);
  }
}
