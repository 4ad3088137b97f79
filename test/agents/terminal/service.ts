import { hostExecTarget } from "../../../agents/exec/host.ts";
import type { ExecTarget, RunRequest } from "../../../agents/exec/target.ts";
import type { TerminalOptions } from "../../../agents/terminal/options.ts";
import { Screen } from "../../../agents/terminal/screen/screen.ts";
import type { Boot } from "../../../agents/terminal/server/boot.ts";
import type { ServerMessage } from "../../../agents/terminal/session/protocol.ts";
import { KnownHosts } from "../../../agents/terminal/ssh/known-hosts.ts";
import { createTerminal } from "../../../agents/terminal/terminal.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";

/** This host, with an empty home: what a person's own profile does is no matter of the tests. */
const homelyMachine = () => machineAt(temporaryFolder());

/** This host, whose own user has another home. */
export function machineAt(home: string): ExecTarget {
  const at = <Request extends RunRequest>(request: Request): Request =>
    request.user === null ? { ...request, env: { ...request.env, HOME: home } } : request;
  return {
    ...hostExecTarget,
    spawn: (request) => hostExecTarget.spawn(at(request)),
    run: (request) => hostExecTarget.run(at(request)),
  };
}

/** A terminal service on a free port, as the standalone one is put together. */
export function startService(options: Partial<TerminalOptions> = {}) {
  const errors: unknown[] = [];
  const terminal = createTerminal({
    target: homelyMachine(),
    authorize: () => ({ readonly: false }),
    origin: (request) => new URL(request.url).origin,
    ssh: { knownHosts: new KnownHosts(null), reachOwn: true },
    startupCommand: ["bash", "--norc", "--noprofile"],
    report: (error) => errors.push(error),
    ...options,
  });
  const sockets = new Set<{ terminate(): void }>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: terminal.fetch,
    websocket: {
      ...terminal.websocket,
      open(socket) {
        sockets.add(socket);
        terminal.websocket.open?.(socket);
      },
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const clients: TestClient[] = [];
  const page = async (query: string | Record<string, string>, init: RequestInit = {}) =>
    fetch(`${origin}/?${new URLSearchParams(query)}`, { redirect: "manual", ...init });
  return {
    terminal,
    origin,
    errors,
    /** The server's ends of all connections. */
    sockets,
    page,
    /** What the page of a session says to its script. */
    async boot(query: string | Record<string, string>): Promise<Boot> {
      const response = await page(query);
      const html = await response.text();
      const json = /<script type="application\/json" id="boot"[^>]*>(.*?)<\/script>/s.exec(html)?.[1];
      if (json === undefined) throw new Error(`no terminal page: ${response.status} ${html}`);
      return JSON.parse(json) as Boot;
    },
    async open(query: string | Record<string, string> = "", size?: { cols: number; rows: number }) {
      const client = await TestClient.attach(origin, (await this.boot(query)).token, size);
      clients.push(client);
      return client;
    },
    connect(token: string, options: ConnectOptions = {}) {
      const client = new TestClient(origin, token, options);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      terminal.close();
      await until(() => terminal.sessions.all.length === 0);
      await server.stop(true);
    },
  };
}

export interface ConnectOptions {
  readonly size?: { cols: number; rows: number };
  readonly headers?: Record<string, string>;
  /** Whether shown output is acknowledged, as pages do. */
  readonly acks?: boolean;
}

/** A client that speaks the protocol and keeps the screen that a person would see. */
export class TestClient {
  readonly messages: ServerMessage[] = [];
  readonly socket: WebSocket;
  closed: { code: number; reason: string } | null = null;
  acks: boolean;
  /** Bytes that came, and how many snapshots were among them. */
  received = 0;
  snapshots = 0;
  #screen: Screen | null = null;

  constructor(origin: string, token: string, options: ConnectOptions = {}) {
    const { size = { cols: 80, rows: 24 } } = options;
    this.acks = options.acks ?? true;
    const headers = { origin, ...options.headers };
    this.socket = new WebSocket(`${origin.replace("http", "ws")}/api/v1/terminal/ws`, {
      headers,
      tls: { rejectUnauthorized: false },
    } as never);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.send({ type: "attach", token, ...size });
    this.socket.onclose = ({ code, reason }) => {
      this.closed = { code, reason };
    };
    this.socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#message(JSON.parse(data) as ServerMessage);
      else this.#output(new Uint8Array(data as ArrayBuffer));
    };
  }

  static async attach(
    origin: string,
    token: string,
    size?: { cols: number; rows: number },
    headers: Record<string, string> = {},
  ) {
    const client = new TestClient(origin, token, { headers, ...(size === undefined ? {} : { size }) });
    await until(() => client.snapshots > 0 || client.closed !== null);
    return client;
  }

  get text(): string {
    return this.#screen?.text() ?? "";
  }

  get size(): string {
    return `${this.#screen?.cols}x${this.#screen?.rows}`;
  }

  get exit() {
    return this.messages.find((message) => message.type === "exit") ?? null;
  }

  message<Type extends ServerMessage["type"]>(type: Type) {
    return this.messages.findLast((message) => message.type === type) as
      | Extract<ServerMessage, { type: Type }>
      | undefined;
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  type(text: string): void {
    this.socket.send(new TextEncoder().encode(text));
  }

  /** Waits until the screen shows a text. */
  async shows(text: string | RegExp): Promise<void> {
    await until(() => (typeof text === "string" ? this.text.includes(text) : text.test(this.text))).catch(
      () => {
        throw new Error(`the screen does not show ${text} but:\n${this.text}`);
      },
    );
  }

  close(): void {
    this.socket.close();
  }

  #message(message: ServerMessage): void {
    this.messages.push(message);
    if (message.type === "snapshot") {
      this.snapshots += 1;
      const black = [0, 0, 0] as const;
      const { cols, rows } = message;
      this.#screen = new Screen({ cols, rows, reply: () => undefined, foreground: black, background: black });
    } else if (message.type === "size") this.#screen?.resize(message.cols, message.rows);
  }

  #output(bytes: Uint8Array): void {
    this.#screen?.feed(bytes);
    this.received += bytes.length;
    if (this.acks) this.send({ type: "ack", bytes: this.received });
  }
}
