import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "bun";
import type { Logger } from "pino";
import { DISPLAY_PROGRAM } from "../../schemas/hosting/program.ts";
import { ActiveTimer } from "../../system/active-timer.ts";
import type { DeclaredProgram, ImagePrograms } from "../containers/images/programs.ts";
import { createDisplay, type DisplayService, isDisplayPath } from "../display/display.ts";
import type { ViewerState } from "../display/socket.ts";
import type { Share } from "../edge/auth/shares.ts";
import { FRAME_FIELD, USER_FIELD } from "../edge/headers.ts";
import type { LocalResponse } from "../edge/local-response.ts";
import { normaliseHost } from "../edge/names.ts";
import type { EdgeServices, ServiceTarget } from "../edge/router.ts";
import { ConcurrencyLimiter } from "../exec/concurrency-limiter.ts";
import { limitPrograms } from "../exec/limited-target.ts";
import type { ExecTarget } from "../exec/target.ts";
import { DisplayError, ensureDisplay, hasDisplay } from "../exec/x-display.ts";
import type { RequestHead } from "../http1/head.ts";
import { errorBody } from "../notifier/http/refusal.ts";
import { createNotifier } from "../notifier/notifier.ts";
import { commonFields, isOpen } from "../pipe/routes.ts";
import { PipeService } from "../pipe/service.ts";
import type { PresentContainer } from "../reconciler/container.ts";
import type { TerminalOptions } from "../terminal/options.ts";
import type { PtyHostClient } from "../terminal/pty-host/client.ts";
import type { SocketState } from "../terminal/server/socket.ts";
import { KnownHosts } from "../terminal/ssh/known-hosts.ts";
import { createTerminal, type TerminalService } from "../terminal/terminal.ts";
import { framedAlsoBy, terminalBeside } from "../web/framing.ts";
import { containerSpawner } from "./container-spawner.ts";
import { crossOrigin, FILES_PREFIX, isFilesPath } from "./cross-origin.ts";
import { filesService } from "./files.ts";
import { type ForwardState, forwardService, isForwardPath } from "./forward.ts";
import { LISTING_LIMITS, RUN_LIMITS, STREAM_LIMITS } from "./limits.ts";
import { ProgramError, ProgramServer } from "./program.ts";
import { reachFrom } from "./reach.ts";
import { socketsBeside, type TerminalSide } from "./sockets.ts";

/** The services of one container that were opened so far. */
interface Mounted {
  readonly servers: Map<string, { path: string; stop(isLeft: boolean): void }>;
  pipe?: PipeService;
  terminal?: TerminalService;
  display?: DisplayService;
  /** Those that its image declares, by name. */
  readonly programs: Map<string, ProgramServer>;
}

export interface ServicesOptions {
  /** Null if it is not on this host, or is being deleted. */
  present(containerId: string): PresentContainer | null;
  /** Runs programs in it; null if it is not on this host. */
  execTarget(containerId: string): ExecTarget | null;
  /** Authorizes a request to a pipe. @throws Refusal */
  authorizePipe(containerId: string, request: RequestHead): void | Promise<void>;
  /** Makes a token with which others can receive from one path of a pipe; undefined if the request may not share. */
  sharePipe(containerId: string, request: RequestHead, path: string): Promise<Share | undefined>;
  /** The arguments by which curl trusts the edge's certificate. */
  readonly curlTrust: string;
  /** Whether a host name is one of this container's pipe. */
  isPipeOf(containerId: string, hostName: string): boolean;
  /** Whether a container is a machine of its own, and nobody else's programs are in it. */
  readonly isIsolated: boolean;
  terminalOpened(containerId: string, userId: string, terminalId: number): void;
  readonly terminal: Pick<TerminalOptions, "urlArg" | "startupCommand">;
  /** Keeps the sessions of terminals while this agent is down; null: they end with it. */
  readonly ptyHost: PtyHostClient | null;
  /** The folder for persistent data, such as keys of SSH hosts. */
  readonly data: string;
  readonly log: Logger;
}

/** How soon the services of a deleted container end. */
const SWEEP_MS = 1_000;
/**
 * Only the edge connects to these servers, and it has its own deadlines. Bun's default of 10 s would break quiet
 * streams. For Unix sockets `server.timeout` has no effect, and Bun's types lack the option.
 */
const NO_IDLE_TIMEOUT: object = { idleTimeout: 0 };
const FIRST = 1;
/** VNC's port of display `:0`. */
const VNC_PORT = 5_900;
/** A desktop takes seconds to start; past this nobody believes in it any more. */
const DISPLAY_MS_MAX = 60_000;
/** Most programs have started by then; after it whoever asks is told that it takes longer. */
const OPEN_MS_MAX = 3_000;
const AGAIN_SECONDS = "2";
const NOTIFIER_HEALTH = "/api/v1/notifications/health";

/**
 * The built-in services of the containers of a host: opened at their first use, and closed when the container is
 * deleted. Services that handle requests listen on Unix sockets, in a folder that only the agent can enter.
 */
export class Services implements EdgeServices {
  readonly #mounted = new Map<string, Mounted>();
  readonly #sockets: string;
  readonly #cleanupTimer = new ActiveTimer(SWEEP_MS, () => this.#closeUnused());
  readonly #limiters = {
    runs: new ConcurrencyLimiter(RUN_LIMITS),
    streams: new ConcurrencyLimiter(STREAM_LIMITS),
  };
  readonly #listings = new ConcurrencyLimiter(LISTING_LIMITS);

  constructor(private readonly options: ServicesOptions) {
    // Not in the agent's own folder, whose path may be too long: the path of a socket has at most 107 bytes.
    this.#sockets = mkdtempSync(join(tmpdir(), "berth-edge-"));
  }

  open(containerId: string, service: string, instance: number): ServiceTarget | Promise<ServiceTarget> {
    const present = this.options.present(containerId);
    if (present === null) return NO_INSTANCE;
    if (service === DISPLAY_PROGRAM) return this.#openDisplay(present, instance);
    if (instance !== FIRST) return NO_INSTANCE;
    if (service === "pipe") return { kind: "connections", service: this.#pipe(containerId) };
    if (!isServed(service)) return this.#openProgram(present, service);
    // Earlier notifications can be read while the container is stopped.
    if (present.init === null && service !== "notifications") return NOT_RUNNING;
    return { kind: "file", path: this.#server(containerId, service).path };
  }

  /** A program that the container's image declares: started when it does not run. */
  async #openProgram(present: PresentContainer, name: string): Promise<ServiceTarget> {
    const { programs, init } = present;
    const declared = programs?.declared.find((one) => one.name === name);
    if (programs === null || declared === undefined) return lackingProgram(name);
    if (init === null) return NOT_RUNNING;
    const program = this.#program(present.spec.id, declared, programs);
    try {
      if (!(await program.isReady(OPEN_MS_MAX))) return startingProgram(name);
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      return unreachableProgram(name, error.message);
    }
    return { kind: "file", path: program.path, begin: declared.path, isForeign: true };
  }

  /** The instance is the number of the display. */
  #openDisplay(present: PresentContainer, display: number): ServiceTarget {
    if (present.init === null) return NOT_RUNNING;
    return {
      kind: "file",
      path: this.#server(present.spec.id, "display").path,
      begin: `/display/${display}`,
    };
  }

  /** The port on which VNC is of the display that the container's image declares, once that has started; null for any other display. */
  async #startDeclaredDisplay(containerId: string, display: number): Promise<number | null> {
    const programs = this.options.present(containerId)?.programs;
    const declared = programs?.declared.find(({ name }) => name === DISPLAY_PROGRAM);
    if (!programs || !declared || declared.port !== VNC_PORT + display || declared.command === null)
      return null;
    try {
      const isReady = await this.#program(containerId, declared, programs).isReady(DISPLAY_MS_MAX);
      if (!isReady) throw new DisplayError("it takes too long to start", { isTemporary: true });
      return declared.port;
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      throw new DisplayError(error.message, { cause: error });
    }
  }

  #program(containerId: string, program: DeclaredProgram, { user, env }: ImagePrograms): ProgramServer {
    const { programs } = this.#of(containerId);
    const known = programs.get(program.name);
    if (known !== undefined) return known;
    const target = limitPrograms(this.#execTarget(containerId), containerId, this.#limiters);
    // Its id and a number: the path of a socket has at most 107 bytes.
    const path = join(this.#sockets, `${containerId}-program-${programs.size + 1}`);
    const made = new ProgramServer(path, { program, user, env, target });
    programs.set(program.name, made);
    return made;
  }

  isOpen(service: string, request: RequestHead): boolean {
    if (service === "notifications") return request.method === "OPTIONS" || request.path === NOTIFIER_HEALTH;
    if (service === "terminal") return request.method === "OPTIONS" && isFilesPath(request.path);
    return service === "pipe" && isOpen(request);
  }

  shape(service: string, { headers }: RequestHead, answer: LocalResponse): LocalResponse {
    if (service === "pipe") return { ...answer, fields: { ...answer.fields, ...commonFields(headers) } };
    const { refusal } = answer;
    if (service !== "notifications" || refusal === undefined) return answer;
    return { ...answer, body: `${JSON.stringify(errorBody(refusal.code, refusal.message))}\n` };
  }

  /**
   * Adopts the sessions of the previous agent, before the first request for them, or when a hanging PTY host
   * responds. Sessions of containers that were deleted or restarted are ended.
   */
  async adopt(): Promise<void> {
    const { ptyHost, log } = this.options;
    const adoptAll = async () => {
      const held = (await ptyHost?.list()) ?? [];
      for (const owner of new Set(held.map((one) => one.owner))) {
        if (this.#location(owner) !== "") this.#server(owner, "terminal");
        else for (const one of held.filter((each) => each.owner === owner)) await ptyHost?.end(one);
      }
      await Promise.all([...this.#mounted.values()].map(({ terminal }) => terminal?.adopted));
      if (held.length > 0) log.info({ held: held.length }, "adopted the terminals of the previous agent");
    };
    try {
      await ptyHost?.retryUntilAvailable(adoptAll);
    } catch (error) {
      log.error({ err: error }, "the terminals of the previous agent could not be adopted");
    }
  }

  /** Leaves the sessions of terminals to the next agent, if a PTY host keeps them. */
  close(): void {
    this.#cleanupTimer.stop();
    for (const id of [...this.#mounted.keys()]) this.#unmount(id, true);
    rmSync(this.#sockets, { recursive: true, force: true });
  }

  #of(containerId: string): Mounted {
    const known = this.#mounted.get(containerId);
    if (known !== undefined) return known;
    const made: Mounted = { servers: new Map(), programs: new Map() };
    this.#mounted.set(containerId, made);
    this.#cleanupTimer.start();
    return made;
  }

  #pipe(containerId: string): PipeService {
    const mounted = this.#of(containerId);
    mounted.pipe ??= new PipeService({
      scheme: "https",
      authorize: (request) => this.options.authorizePipe(containerId, request),
      signIn: {
        tokenPath: `/api/v1/containers/${containerId}/access`,
        curlTrust: this.options.curlTrust,
        share: (request, path) => this.options.sharePipe(containerId, request, path),
      },
      isOwnHost: (host) => {
        const name = normaliseHost(host)?.name;
        return name !== undefined && this.options.isPipeOf(containerId, name);
      },
    });
    return mounted.pipe;
  }

  #server(containerId: string, service: Served): { path: string } {
    const { servers } = this.#of(containerId);
    const known = servers.get(service);
    if (known !== undefined) return known;
    const path = join(this.#sockets, `${containerId}-${service}`);
    const made = {
      terminal: () => this.#terminal(containerId, path),
      files: () => this.#files(containerId, path),
      notifications: () => this.#notifier(containerId, path),
      display: () => this.#displayServer(containerId, path),
    }[service]();
    servers.set(service, made);
    return made;
  }

  #terminal(containerId: string, path: string) {
    const { log } = this.options;
    const target = this.#execTarget(containerId);
    const folder = this.#folder(containerId);
    const { ptyHost } = this.options;
    const terminal = createTerminal({
      ...this.options.terminal,
      target: limitPrograms(target, containerId, this.#limiters),
      ...(ptyHost === null
        ? {}
        : { ptyStore: ptyHost.forOwner(containerId, () => this.#location(containerId)) }),
      // The edge has checked the credential.
      authorize: (request) => ({ readonly: false, user: request.headers.get(USER_FIELD) ?? undefined }),
      opened: (terminalId, { user }) => {
        if (user !== undefined) this.options.terminalOpened(containerId, user, terminalId);
      },
      origin: (request) => `https://${request.headers.get("host")}`,
      framedBy: (request) => request.headers.get(FRAME_FIELD),
      ssh: {
        knownHosts: new KnownHosts(join(folder, "ssh-known-hosts")),
        reachOwn: false,
        reach: reachFrom(target),
      },
      displayUrl: (display) => `/display/${display}`,
      isDisplayReady: (display) => hasDisplay(target, display),
      ensureDisplay: async (display, start) => {
        const declared = await this.#startDeclaredDisplay(containerId, display);
        if (declared === null)
          await ensureDisplay(target, display, { ...start, isShared: !this.options.isIsolated });
      },
      serviceEnv: { SERVICE_NAME: "terminal", SERVICE_CONTAINER_ID: containerId },
      report: (error) => log.error({ err: error, container: containerId }, "a request of a terminal failed"),
    });
    // On the terminal's own address, so that who is let in there need not be let in again, and its panel can show it.
    const display = this.#display(containerId);
    const files = crossOrigin(this.#filesOf(containerId, FILES_PREFIX));
    const forward = forwardService({
      target: limitPrograms(target, containerId, this.#limiters),
      user: () => this.options.present(containerId)?.programs?.user ?? null,
      origin: (request) => `https://${request.headers.get("host")}`,
      report: (error) =>
        log.error({ err: error, container: containerId }, "a port of a container cannot be reached"),
    });
    const server = Bun.serve<TerminalSide>({
      unix: path,
      // Uploads are streamed, so only the container's disk limits them.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...NO_IDLE_TIMEOUT,
      fetch: (request, server) => {
        const { pathname } = new URL(request.url);
        if (isForwardPath(pathname)) return forward.fetch(request, server as Server<ForwardState>);
        if (isFilesPath(pathname)) return files(request);
        const answer = isDisplayPath(pathname)
          ? display.fetch(request, server as Server<ViewerState>)
          : terminal.fetch(request, server as Server<SocketState>);
        return this.#framed(containerId, request, answer);
      },
      websocket: socketsBeside({
        terminal: terminal.websocket,
        display: display.websocket,
        forward: forward.handler,
      }),
    });
    this.#of(containerId).terminal = terminal;
    return {
      path,
      stop: (isLeft: boolean) => {
        if (isLeft) terminal.leave();
        else terminal.close();
        void server.stop(true);
      },
    };
  }

  #display(containerId: string): DisplayService {
    const mounted = this.#of(containerId);
    mounted.display ??= createDisplay({
      target: limitPrograms(this.#execTarget(containerId), containerId, this.#limiters),
      // The edge has checked the credential.
      authorize: () => ({ readonly: false }),
      origin: (request) => `https://${request.headers.get("host")}`,
      user: this.options.present(containerId)?.programs?.user ?? null,
      isShared: !this.options.isIsolated,
      startDeclared: (display) => this.#startDeclaredDisplay(containerId, display),
      report: (error) =>
        this.options.log.error({ err: error, container: containerId }, "a request of a display failed"),
    });
    return mounted.display;
  }

  #displayServer(containerId: string, path: string) {
    const display = this.#display(containerId);
    const server = Bun.serve({
      unix: path,
      ...NO_IDLE_TIMEOUT,
      fetch: (request, server) => this.#framed(containerId, request, display.fetch(request, server)),
      websocket: display.websocket,
    });
    return { path, stop: () => void server.stop(true) };
  }

  #filesOf(containerId: string, prefix?: string) {
    return filesService({
      target: limitPrograms(this.#execTarget(containerId), containerId, this.#limiters),
      owner: containerId,
      listings: this.#listings,
      ...(prefix === undefined ? {} : { prefix }),
    });
  }

  #files(containerId: string, path: string) {
    const serve = this.#filesOf(containerId);
    const server = Bun.serve({
      unix: path,
      // Uploads are streamed, so only the container's disk limits them.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...NO_IDLE_TIMEOUT,
      fetch: (request) => this.#framed(containerId, request, serve(request)),
      error: (error) => {
        this.options.log.error({ err: error, container: containerId }, "a request of files failed");
        return new Response("The files could not be read.\n", { status: 500 });
      },
    });
    return { path, stop: () => void server.stop(true) };
  }

  #notifier(containerId: string, path: string) {
    const notifier = createNotifier({
      folder: join(this.#folder(containerId), "notifications"),
      spawner: containerSpawner(() => this.#execTarget(containerId)),
      authorize: (request) => ({ readonly: false, user: request.headers.get(USER_FIELD) }),
      curlArguments: ['-H "Authorization: Bearer $TOKEN"', this.options.curlTrust].filter(Boolean).join(" "),
      origin: (request) => `https://${request.headers.get("host")}`,
      allowedOrigins: [],
      report: (error) =>
        this.options.log.error({ err: error, container: containerId }, "a request of notifications failed"),
    });
    const server = Bun.serve({
      unix: path,
      ...NO_IDLE_TIMEOUT,
      fetch: (request) => {
        const client = request.headers.get("x-forwarded-for") ?? "";
        return this.#framed(containerId, request, notifier.fetch(request, { client }));
      },
    });
    return {
      path,
      stop: () => {
        void notifier.close();
        void server.stop(true);
      },
    };
  }

  /** Allows the panel of the container's terminal to frame a page, and the console where it shows this one. */
  async #framed<Answer extends Response | undefined>(
    containerId: string,
    request: Request,
    answer: Answer | Promise<Answer>,
  ): Promise<Answer> {
    const response = await answer;
    const policy = response?.headers.get("content-security-policy") ?? null;
    const project = this.options.present(containerId)?.desired.project_id;
    if (policy !== null && project !== undefined) {
      const terminal = terminalBeside(request.headers.get("host") ?? "", `${project}-${containerId}`);
      const framed = framedAlsoBy(framedAlsoBy(policy, terminal), request.headers.get(FRAME_FIELD));
      response?.headers.set("content-security-policy", framed);
    }
    return response;
  }

  /** Identifies one run of a container, with which its sessions end; empty while it does not run. */
  #location(containerId: string): string {
    const init = this.options.present(containerId)?.init ?? null;
    return init === null ? "" : `${init.boot} ${init.pid} ${init.started}`;
  }

  /** The folder for persistent data of a container's services. */
  #folder(containerId: string): string {
    const folder = join(this.options.data, containerId);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Looked up at each use, since the container may have been created again. */
  #execTarget(containerId: string): ExecTarget {
    const now = () => {
      const target = this.options.execTarget(containerId);
      if (target === null) throw new Error("the container is not here");
      return target;
    };
    return {
      canBecome: (user) => now().canBecome(user),
      isProtected: (pid) => now().isProtected(pid),
      spawn: (request) => now().spawn(request),
      adopt: (started) => now().adopt(started),
      run: async (request) => now().run(request),
      stream: (request, input) => now().stream(request, input),
    };
  }

  /** @returns whether services are left */
  #closeUnused(): boolean {
    for (const [id, { terminal }] of [...this.#mounted]) {
      if (this.options.present(id) === null) {
        this.#unmount(id, false);
        rmSync(join(this.options.data, id), { recursive: true, force: true });
        continue;
      }
      const location = this.#location(id);
      for (const session of terminal?.sessions.all ?? []) {
        if (session.location !== location) session.end("its container was stopped");
      }
    }
    return this.#mounted.size > 0;
  }

  #unmount(id: string, isLeft: boolean): void {
    const mounted = this.#mounted.get(id);
    this.#mounted.delete(id);
    mounted?.pipe?.close();
    mounted?.display?.close();
    for (const program of mounted?.programs.values() ?? []) program.close();
    for (const server of mounted?.servers.values() ?? []) server.stop(isLeft);
  }
}

const SERVED = ["terminal", "files", "notifications"] as const;
type Served = (typeof SERVED)[number] | typeof DISPLAY_PROGRAM;
const isServed = (service: string): service is (typeof SERVED)[number] =>
  SERVED.some((one) => one === service);

const NO_INSTANCE: ServiceTarget = {
  kind: "absent",
  status: 404,
  code: "ADDRESS_NOT_FOUND",
  message: "There is one instance of it, and it is number 1.",
};
const NOT_RUNNING: ServiceTarget = {
  kind: "absent",
  status: 503,
  code: "CONTAINER_NOT_RUNNING",
  message: "The container does not run. Start it, then come back.",
};
const lackingProgram = (name: string): ServiceTarget => ({
  kind: "absent",
  status: 404,
  code: "PROGRAM_NOT_FOUND",
  message: `The container has no program \`${name}\`. An image declares it by the label \`berth.program.${name}=<port>[/path]\`.`,
});
const startingProgram = (name: string): ServiceTarget => ({
  kind: "absent",
  status: 503,
  code: "PROGRAM_STARTING",
  message: `The program \`${name}\` is starting. This page looks again by itself.`,
  // A browser asks again; so may a program.
  fields: { "Retry-After": AGAIN_SECONDS, Refresh: AGAIN_SECONDS },
});
const unreachableProgram = (name: string, reason: string): ServiceTarget => ({
  kind: "absent",
  status: 502,
  code: "TARGET_UNREACHABLE",
  message: `The program \`${name}\` cannot be reached: ${reason}.`,
});
