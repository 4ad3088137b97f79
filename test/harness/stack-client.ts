import type { ByRole } from "../../actors/platform/db/roles.ts";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import type { Definitions } from "../../actors/registry.ts";
import type { ActorsOf } from "../../actors/runtime/client.ts";
import { connectToCluster } from "../../actors/runtime/transport/connect.ts";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { recordCall } from "./record-examples.ts";
import { agentUrl, HOLDS_LOCKS } from "./servers.ts";
import { type TestUser, type UserOptions, userMaker } from "./users.ts";

export type { TestUser };

/** An answer of the API, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every form
  readonly body: any;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives up the request. */
  readonly signal?: AbortSignal;
}

/** Where a control plane is, and what opens it. */
export interface StackAddress {
  readonly url: string;
  /** The superuser's, for what tests look at and change behind its back. */
  readonly databaseUrl: string;
  /** What its processes connect with: the roles of production. */
  readonly databaseUrls: ByRole;
  /** With the control plane's credentials. */
  readonly natsUrl: string;
  readonly signingKeyFile: string;
  /** The folder with the logs of its processes. */
  readonly logs: string;
}

/** A control plane as its clients see it, and its database behind it. */
export interface StackClient extends StackAddress {
  readonly db: Sql;
  /** The actors themselves, for what has no endpoint yet. */
  readonly actors: ActorsOf<Definitions>;
  /** The URL with the credentials of a host's agent; for the names that the control plane was started with. */
  agentUrl(server: string): string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new user who is signed in; with money and role when asked. */
  user(options?: UserOptions): Promise<TestUser>;
  stop(): Promise<void>;
}

/** Connects a test to a control plane that runs. `stop` ends the connections, and nothing else. */
export async function connectStack(address: StackAddress): Promise<StackClient> {
  const db = openSql(address.databaseUrl, { max: 4, name: "test", session: HOLDS_LOCKS });
  const bus = await natsBus(address.natsUrl, "test");
  const client = connectToCluster<Definitions>(bus, db);
  return {
    ...address,
    db,
    actors: client.actors,
    agentUrl: (server) => agentUrl(server, Number(new URL(address.natsUrl).port)),
    user: await userMaker(client.actors, address.signingKeyFile),
    call: (method, path, options) => callAt(address.url, method, path, options),
    async stop() {
      client.close();
      await bus.close();
      await db.end({ timeout: 5 });
    },
  };
}

/** Asks the gateway at a URL. */
export async function callAt(
  url: string,
  method: string,
  path: string,
  { token, body, headers, signal }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const reply = isJson ? JSON.parse(text) : text;
  if (isJson) recordCall({ method, path, body, status: response.status, reply });
  return { status: response.status, headers: response.headers, body: reply };
}
