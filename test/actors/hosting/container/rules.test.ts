import { describe, expect, test } from "bun:test";
import type { ContainerRecord } from "../../../../actors/hosting/container/rules.ts";
import {
  failsAgain,
  pullImage,
  report,
  requestState,
  restart,
} from "../../../../actors/hosting/container/rules.ts";
import { isPending } from "../../../../actors/hosting/container/setting-changes.ts";
import { newSettings, updateSettings } from "../../../../actors/hosting/container/settings.ts";
import { DomainError } from "../../../../schemas/errors.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";

const ID = "0123456789abcdef01234567";
const creating: ContainerRecord = {
  userId: ID,
  projectId: ID,
  serverId: ID,
  serverName: "node-1",
  imageId: null,
  imageReference: null,
  image: null,
  ...newSettings("app", {}),
  settingsRevision: 1,
  settingChanges: {},
  permissions: [],
  volumes: [],
  desiredState: "running",
  desiredRevision: 1,
  generation: 1,
  accessRevision: 0,
  specsRevision: 0,
  restartingRevision: null,
  imageGeneration: 0,
  pullingRevision: null,
  state: "creating",
  driver: null,
  address: null,
  error: null,
  startedRevision: null,
  exit: null,
  health: null,
  restarts: 0,
  appliedResources: null,
  createdAt: new Date(0),
};
const running: ContainerRecord = {
  ...creating,
  state: "running",
  driver: "oci",
  address: "10.77.0.2",
};
const status: ContainerStatus = {
  revision: 1,
  state: "running",
  driver: "oci",
  address: "10.77.0.2",
  error: null,
  reported_at: "2026-01-31T09:30:00.000Z",
};

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("asking a host", () => {
  test("for another state is a new revision, and forgets what failed before", () => {
    expect(requestState({ ...running, error: "x" }, "stopped")).toEqual({
      ...running,
      desiredState: "stopped",
      desiredRevision: 2,
    });
  });

  test("for what is asked for already is nothing new", () => {
    expect(requestState(running, "running")).toBe(running);
  });

  test("to start is a new generation, also of a container that has ended by itself, and once only", () => {
    expect(requestState({ ...running, desiredState: "stopped" }, "running").generation).toBe(2);
    for (const state of ["stopped", "error"] as const) {
      const started = requestState({ ...running, state }, "running");
      expect(started).toMatchObject({ generation: 2, desiredRevision: 2, state: "creating" });
      expect(requestState(started, "running")).toBe(started);
    }
  });

  test("to restart is a new generation of a running container only", () => {
    expect(restart(running)).toEqual({
      ...running,
      generation: 2,
      desiredRevision: 2,
      restartingRevision: 2,
    });
    expect(codeOf(() => restart({ ...running, desiredState: "stopped" }))).toBe("CONTAINER_STATE_CONFLICT");
  });

  test("for anything is too late once the container is being deleted", () => {
    const deleted = requestState(running, "deleted");
    for (const state of ["running", "stopped", "deleted"] as const) {
      expect(codeOf(() => requestState(deleted, state))).toBe("CONTAINER_NOT_FOUND");
    }
    expect(codeOf(() => restart(deleted))).toBe("CONTAINER_NOT_FOUND");
  });
});

describe("a host's report", () => {
  test("becomes the record, and an event where the state is another one", () => {
    expect(report(creating, status)).toEqual({ container: running, events: ["container.running"] });
    expect(report(running, { ...status, state: "stopped", address: null })).toEqual({
      container: { ...running, state: "stopped", address: null },
      events: ["container.stopped"],
    });
    expect(report(running, { ...status, state: "error", error: "no room" })).toEqual({
      container: { ...running, state: "error", error: "no room" },
      events: ["container.error"],
    });
  });

  test("of another address alone is no event", () => {
    expect(report(running, { ...status, address: "10.77.0.3" })).toEqual({
      container: { ...running, address: "10.77.0.3" },
      events: [],
    });
    expect(report(running, { ...status, state: "creating" })?.events).toEqual([]);
  });

  test("that says what is known changes nothing", () => {
    expect(report(running, status)).toBeUndefined();
    expect(report(running, { ...status, revision: 7 })).toBeUndefined();
  });

  test("that a container is gone ends the record if it was to go, and is nothing otherwise", () => {
    const gone: ContainerStatus = { ...status, revision: 2, state: "deleted", address: null };
    expect(report(requestState(running, "deleted"), gone)).toEqual({
      container: null,
      events: ["container.deleted"],
    });
    expect(report(running, gone)).toBeUndefined();
  });

  test("from before a container was deleted tells no event", () => {
    const deleted: ContainerRecord = { ...requestState(running, "deleted"), state: "deleted" };
    expect(report(deleted, status)?.events ?? []).toEqual([]);
  });
  test("ends a restart, which leaves the state as it is", () => {
    const restarting = restart(running);
    expect(restarting.restartingRevision).toBe(restarting.desiredRevision);
    const done = report(restarting, { ...status, revision: restarting.desiredRevision });
    expect(done).toEqual({
      container: { ...restarting, restartingRevision: null },
      events: ["container.restarted"],
    });
    expect(
      report(done?.container ?? running, { ...status, revision: restarting.desiredRevision }),
    ).toBeUndefined();
  });

  test("ends a search for a newer image: as a restart with one, as running without, as an error where it cannot be had", () => {
    const image = (digest: string, state: "ready" | "pulling" | "waiting") => ({
      ...{ reference: "docker.io/library/app:1", digest, state, pulled_bytes: 1, total_bytes: 1 },
      ...{ exposed_ports: [], labels: {} },
    });
    const before = { ...running, imageReference: "docker.io/library/app:1", image: image("a", "ready") };
    const asked = pullImage(before);
    expect(asked).toMatchObject({ imageGeneration: 1, desiredRevision: 2, pullingRevision: 2 });
    expect(asked.image).toEqual(image("a", "waiting"));
    const says = (fields: Partial<ContainerStatus>) => report(asked, { ...status, revision: 2, ...fields });
    expect(says({ image: image("a", "pulling") })?.events).toEqual([]);
    expect(says({ image: image("b", "ready"), state: "creating" })?.events).toEqual([]);
    expect(says({ image: image("b", "ready") })?.events).toEqual(["container.restarted"]);
    expect(says({ image: image("a", "ready") })?.events).toEqual(["container.running"]);
    const failed = says({ image: image("a", "ready"), error: "it keeps the image that it has: …" });
    expect(failed?.events).toEqual(["container.error"]);
    expect(failed?.container?.pullingRevision).toBeNull();
    expect(codeOf(() => pullImage(running))).toBe("CONTAINER_STATE_CONFLICT");
    const named = { ...before, imageReference: "docker.io/library/app@sha256:0" };
    expect(codeOf(() => pullImage(named))).toBe("CONTAINER_STATE_CONFLICT");
  });

  test("says how the last run ended; one of an older agent, which does not say, keeps what is known", () => {
    const exit = {
      ...{ status: 3, signal: null, reason: "its command ended with status 3", out_of_memory: false },
      at: "2026-01-31T09:29:59.000Z",
    };
    const ended = report(running, { ...status, exit, restarts: 2, started_revision: 1 })?.container;
    expect(ended).toEqual({ ...running, exit, restarts: 2, startedRevision: 1 });
    expect(ended && report(ended, status)).toBeUndefined();
  });

  test("of its health is an event of the contract when it changes, and not while it starts", () => {
    const since = "2026-01-31T09:30:00.000Z";
    const eventsOf = (...states: ("starting" | "healthy" | "unhealthy")[]) => {
      let now: ContainerRecord = running;
      return states.map((state) => {
        const { container, events } = report(now, {
          ...status,
          health: { state, message: null, since },
        }) ?? { container: now, events: [] };
        now = container ?? now;
        return events.join();
      });
    };
    expect(eventsOf("starting", "healthy", "unhealthy", "healthy")).toEqual([
      "",
      "container.running",
      "container.error",
      "container.recovered",
    ]);
    expect(eventsOf("starting", "unhealthy", "unhealthy", "starting")).toEqual([
      ...["", "container.error", "", ""],
    ]);
    const { container } = report(
      { ...running, health: { state: "healthy", message: null, since } },
      { ...status, state: "stopped", health: null },
    ) as { container: ContainerRecord };
    expect(container.health).toBeNull();
  });

  test("that tries again and fails again is one failure, until the container has run or was asked to", () => {
    let now: ContainerRecord = creating;
    const hear = (state: ContainerStatus["state"], error: string | null = null) => {
      const reported = report(now, { ...status, revision: now.desiredRevision, state, error });
      now = reported?.container ?? now;
      return reported?.events ?? [];
    };
    expect(hear("error", "no such image")).toEqual(["container.error"]);
    for (const error of ["no such image", "the registry does not answer"]) {
      expect(hear("creating")).toEqual([]);
      expect(hear("error", error)).toEqual([]);
    }
    hear("creating");
    expect(now).toMatchObject({ state: "error", error: "the registry does not answer" });
    expect(hear("running")).toEqual(["container.running", "container.recovered"]);
    expect(hear("error", "it has ended")).toEqual(["container.error"]);
    now = restart(now);
    expect(now.state).toBe("creating");
    expect(hear("error", "it has ended")).toEqual(["container.error"]);
  });

  test("that its runs end one soon after the other is one run of failures, until it has run for a while", () => {
    const ended = (at: string) => ({
      ...running,
      exit: { status: 1, signal: null, reason: "it ended", out_of_memory: false, at: `2026-01-31T${at}Z` },
    });
    expect(failsAgain(running, ended("09:30:00.000"))).toBe(false);
    expect(failsAgain(ended("09:30:00.000"), ended("09:31:30.000"))).toBe(true);
    expect(failsAgain(ended("09:31:30.000"), ended("09:31:30.000"))).toBe(false);
    expect(failsAgain(ended("09:31:30.000"), ended("09:34:00.000"))).toBe(false);
  });

  test("that it runs again after an error says that it has recovered", () => {
    const failed: ContainerRecord = { ...running, state: "error", error: "no room" };
    expect(report(failed, status)).toEqual({
      container: running,
      events: ["container.running", "container.recovered"],
    });
  });
});

describe("a change of settings", () => {
  const secret = { name: "PASSWORD", sealed: "v1.x" };
  const named: ContainerRecord = { ...running, env: [secret, { name: "MODE", value: "a" }] };

  test("counts its revision, and notes what needs a start", () => {
    expect(updateSettings(named, { name: "web", labels: { app: "shop" } }, [1])).toEqual({
      ...named,
      ...{ name: "web", labels: { app: "shop" } },
      ...{
        settingsRevision: 2,
        desiredRevision: 2,
        settingChanges: {
          name: [
            [0, expect.any(String)],
            [2, expect.any(String)],
          ],
        },
      },
    });
  });

  test("that is taken back needs no start, unless the container was started in between", () => {
    const mode = (value: string) => ({ env: [{ name: "MODE", value }] });
    const first = updateSettings(running, mode("a"), null);
    const second = updateSettings(first, mode("b"), null);
    const back = updateSettings(second, { env: [{ value: "a", name: "MODE" }] }, null);
    const { env } = back.settingChanges;
    expect([1, 2, 3, 4].map((started) => isPending(env, started))).toEqual([true, false, true, false]);
    expect(isPending(undefined, 1)).toBe(false);
    // More changes than are remembered: a start is said to be needed, though this one may not be.
    let often = back;
    for (const n of Array.from({ length: 20 }, (_, n) => `${n}`))
      often = updateSettings(often, mode(n), null);
    expect(isPending(updateSettings(often, mode("a"), null).settingChanges.env, 2)).toBe(true);
    expect(JSON.stringify(often.settingChanges).length).toBeLessThan(2_000);
  });

  test("goes on from a record that has the last change's revision alone", () => {
    const old: ContainerRecord = { ...running, desiredRevision: 5, settingChanges: { name: 5 } };
    expect([4, 5].map((started) => isPending(old.settingChanges.name, started))).toEqual([true, false]);
    const other = updateSettings(old, { name: "other" }, null);
    const back = updateSettings(other, { name: old.name }, null);
    expect([4, 5, 6, 7].map((started) => isPending(back.settingChanges.name, started))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test("that its host does not see is no new desired state, and one that changes nothing is no change", () => {
    const ports = [{ name: "web", port: 80, protocol: "http" as const }];
    expect(updateSettings(named, { ports }, null)).toEqual({ ...named, ports, settingsRevision: 2 });
    expect(updateSettings(named, { name: "app", labels: {}, env: [...named.env] }, null)).toBe(named);
  });

  test("keeps a secret that is named without a value, and refuses one that is not there", () => {
    const kept = updateSettings(named, { env: [{ name: "PASSWORD", keep: true }] }, null);
    expect(kept).toMatchObject({
      env: [secret],
      settingChanges: {
        env: [
          [0, expect.any(String)],
          [2, expect.any(String)],
        ],
      },
    });
    for (const name of ["MODE", "OTHER"])
      expect(codeOf(() => updateSettings(named, { env: [{ name, keep: true }] }, null))).toBe(
        "VALIDATION_ERROR",
      );
  });

  test("of another revision than the one that was read is refused", () => {
    expect(codeOf(() => updateSettings(named, { labels: { a: "b" } }, [2]))).toBe("PRECONDITION_FAILED");
    expect(updateSettings(named, { labels: { a: "b" } }, [3, 1]).settingsRevision).toBe(2);
  });
});
