import { expect } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { hostSpawner, type Spawner } from "../../../agents/notifier/desktop/spawner.ts";
import { createNotifier, type NotifierOptions } from "../../../agents/notifier/notifier.ts";
import type { NotificationRecord } from "../../../agents/notifier/record.ts";
import { temporaryFolder } from "../../harness/servers.ts";

export const PREFIX = "/api/v1/notifications/";

/** A desktop whose programs are scripts of a test: for what is not about real ones, or what real ones do not do. */
export function scriptedSpawner(scripts: Readonly<Record<string, string>> = {}): Spawner {
  const folder = temporaryFolder();
  const all = { "notify-send": "exit 0", "dbus-send": `echo 'string "body-markup"'`, ...scripts };
  for (const [name, script] of Object.entries(all)) {
    Bun.spawnSync(["sh", "-c", 'cat >"$1"', "sh", join(folder, name)], {
      stdin: Buffer.from(`#!/bin/sh\n${script}\n`),
    });
    chmodSync(join(folder, name), 0o755);
  }
  const path = `${folder}:${process.env.PATH}`;
  return {
    spawn: (request) =>
      hostSpawner.spawn({ ...request, env: { ...request.env, PATH: path, XDG_RUNTIME_DIR: folder } }),
  };
}

/** Displays whose bus is not looked for. */
const buses = new Map([1, 2, 3].map((display) => [display, "unix:path=/nowhere"]));

/** A notification server in this process, on a free port. Every request is another client's unless it is told. */
export function startService(options: Partial<NotifierOptions> & { client?: string; port?: number } = {}) {
  const folder = options.folder ?? temporaryFolder();
  const reports: unknown[] = [];
  let clients = 0;
  const notifier = createNotifier({
    folder,
    spawner: options.spawner ?? scriptedSpawner(),
    buses,
    authorize: () => ({ readonly: false }),
    origin: (request) => `http://${request.headers.get("host")}`,
    allowedOrigins: [],
    // A machine may be slow; what is about time says its own.
    deliveryMsMax: 60_000,
    report: (error) => reports.push(error),
    ...options,
  });
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: (request) => notifier.fetch(request, { client: options.client ?? `client-${clients++}` }),
  });
  const origin = server.url.origin;
  const call = (path: string, init: RequestInit & { json?: unknown } = {}) => {
    const { json, ...rest } = init;
    const body = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
    const headers = {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...rest.headers,
    };
    return fetch(path.startsWith("/") ? origin + path : origin + PREFIX + path, {
      ...body,
      ...rest,
      headers,
    });
  };
  return {
    origin,
    port: Number(server.url.port),
    folder,
    reports,
    call,
    notifier,
    /** Sends a notice that has to be taken. */
    async notify(notice: object = {}): Promise<NotificationRecord> {
      const response = await call("notify", { json: { display: ":1", title: "t", body: "b", ...notice } });
      expect([response.status, response.status === 201 ? "" : await response.text()]).toEqual([201, ""]);
      return (await response.json()) as NotificationRecord;
    },
    async history(path = ":1"): Promise<{ notifications: NotificationRecord[]; next_cursor: string | null }> {
      const response = await call(path);
      expect(response.status).toBe(200);
      return (await response.json()) as never;
    },
    async [Symbol.asyncDispose]() {
      await notifier.close();
      await server.stop(true);
    },
  };
}
