import { afterAll, beforeAll, expect, test } from "bun:test";
import { pino } from "pino";
import { preparedImagesReconciler } from "../../../actors/hosting/host/prepared-images.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { imageFields } from "../routes/hosting/image/catalogue.ts";

/** An image of the catalogue with `prespawn` is asked of every host that answers, and its record counts how far they are. */

let stack: EmbeddedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ joining: true });
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const call = async (method: string, path: string, body?: object) =>
  (await stack.call(method, `/api/v1/admin${path}`, { token: operator.token, ...(body && { body }) })).body
    .data;

test("hosts are told what to keep ready, and the records of the image and of the host say how far they are", async () => {
  const reference = "docker.io/library/debian:13";
  const fields = imageFields();
  const { id } = await call("POST", "/images", { ...fields, reference, prespawn: true });
  await call("POST", "/images", { ...imageFields(), reference: "docker.io/library/nginx:1" });
  const names = ["has-it", "has-it-not", "silent"];
  const hosts = new Map<string, string>();
  for (const name of names) hosts.set(name, (await call("POST", "/hosts", { name })).id);
  await stack.db`
    UPDATE host_machines SET last_seen_at = now(), silent_since = CASE WHEN name = 'silent' THEN now() END
    WHERE name = ANY (${names})`;
  const asked = new Map<string, unknown>();
  const digest = `sha256:${"a".repeat(64)}`;
  const reconciler = preparedImagesReconciler({
    db: stack.db,
    actors: stack.actors,
    log: pino({ level: "silent" }),
    owns: () => true,
    async prepareImages(name, text) {
      asked.set(name, JSON.parse(text));
      const state = name === "has-it" ? { state: "ready", digest, error: null } : FAILED;
      return JSON.stringify({ images: [{ reference, ...state }] });
    },
  });
  await reconciler.reconcile(new AbortController().signal);
  expect([...asked.keys()].toSorted()).toEqual(["has-it", "has-it-not"]);
  expect(asked.get("has-it")).toEqual({ references: [reference] });
  const { images } = await call("GET", "/images?limit=500");
  const image = images.find((one: { id: string }) => one.id === id);
  expect(image.prepared).toEqual({ ready: 1, pulling: 0, error: 1, reason: FAILED.error });
  expect((await call("GET", `/hosts/${hosts.get("has-it")}`)).prepared_images).toEqual([
    { reference, state: "ready", digest, error: null },
  ]);
  // An operator who keeps it ready no longer sees no states of it.
  const changed = await call("PATCH", `/images/${id}`, { prespawn: false });
  expect(changed.prepared).toEqual({ ready: 0, pulling: 0, error: 0, reason: null });
});

const FAILED = { state: "error", digest: null, error: "its registry does not answer" };
