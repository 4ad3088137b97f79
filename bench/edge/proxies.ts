import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOrphanWatchdog } from "../../scripts/orphan-watchdog.ts";
import { freePort } from "../../scripts/ports.ts";
import { findProgram } from "../../scripts/programs.ts";
import { SetupError } from "../../scripts/setup-error.ts";
import { until } from "../../test/harness/until.ts";
import { cpuSeconds } from "../cpu.ts";

/** A proxy before the target, in a process of its own. */
export interface RunningProxy {
  readonly name: string;
  readonly note?: string;
  readonly port: number;
  readonly pid: number;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const watchdog = startOrphanWatchdog();

/** Starts a program of this folder, which prints its port. */
async function startOwn(program: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, program), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  watchdog.watch(child.pid, "TERM");
  const { value } = await child.stdout.getReader().read();
  const port = Number(Buffer.from(value ?? []).toString());
  if (!(port > 0)) throw new SetupError(`bench/edge/${program} did not start`);
  return {
    port,
    pid: child.pid,
    cpuSeconds: () => cpuSeconds(child.pid),
    stop: async () => {
      child.kill();
      await child.exited;
      watchdog.forget(child.pid);
    },
  };
}

export const startTarget = () => startOwn("target.ts");

export const startEdge = async (target: number): Promise<RunningProxy> => ({
  name: "Berth",
  note: "one process",
  ...(await startOwn("edge-alone.ts", String(target))),
});

/** What no proxy of this runtime can be faster than. */
export const startBareRelay = async (target: number): Promise<RunningProxy> => ({
  name: "bare relay",
  note: "two sockets of Bun with nothing between them: no HTTP is read, nothing is checked, rewritten or logged",
  ...(await startOwn("bare-relay.ts", String(target))),
});

/** nginx, set as its documentation has it for a proxy with kept connections and WebSockets: one worker, as the edge is one process. */
export async function startNginx(target: number): Promise<RunningProxy & { readonly version: string }> {
  const nginx = findProgram("nginx");
  if (nginx === undefined) throw new SetupError("nginx is the peer here: apt-get install nginx-light");
  const folder = mkdtempSync(join(tmpdir(), "berth-bench-nginx-"));
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configOf(folder, port, target));
  const version = Bun.spawnSync([nginx, "-v"]).stderr.toString();
  return {
    name: "nginx",
    note: "one worker, `keepalive 64` to the target, an access log that is buffered, as Berth's",
    version: /nginx\/(\S+)/.exec(version)?.[1] ?? "unknown",
    ...(await startPeer({
      command: [nginx, "-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")],
      port,
      folder,
    })),
  };
}

/** Caddy, set as its documentation has it for a proxy: connections to the target are kept, and WebSockets pass. */
export async function startCaddy(target: number): Promise<RunningProxy & { readonly version: string }> {
  const caddy = findProgram("caddy");
  if (caddy === undefined) throw new SetupError("Caddy is a peer here: apt-get install caddy");
  const folder = mkdtempSync(join(tmpdir(), "berth-bench-caddy-"));
  const port = await freePort();
  writeFileSync(join(folder, "Caddyfile"), caddyfileOf(folder, port, target));
  return {
    name: "Caddy",
    note: "one thread of Go (`GOMAXPROCS=1`), as the edge is one process; an access log as Berth's",
    version: /v?(\d\S+)/.exec(Bun.spawnSync([caddy, "version"]).stdout.toString())?.[1] ?? "unknown",
    ...(await startPeer({
      command: [caddy, "run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"],
      port,
      folder,
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, GOMAXPROCS: "1" },
    })),
  };
}

/** @param folder of the peer alone: it goes with the peer */
async function startPeer(peer: {
  command: string[];
  port: number;
  folder: string;
  env?: Readonly<Record<string, string>>;
}) {
  const { command, port, folder, env = {} } = peer;
  const child = Bun.spawn(command, {
    stdio: ["ignore", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  watchdog.watch(child.pid, "TERM");
  await until(async () => (await fetch(`http://127.0.0.1:${port}/small`)).ok);
  return {
    port,
    pid: child.pid,
    cpuSeconds: () => cpuSeconds(child.pid),
    stop: async () => {
      child.kill();
      await child.exited;
      watchdog.forget(child.pid);
      rmSync(folder, { recursive: true });
    },
  };
}

const caddyfileOf = (folder: string, port: number, target: number): string => `
{
	admin off
	auto_https off
}
http://127.0.0.1:${port}, http://app.node-1.berth.localhost:${port} {
	bind 127.0.0.1
	log {
		output file ${folder}/access.log
	}
	reverse_proxy 127.0.0.1:${target} {
		transport http {
			keepalive_idle_conns_per_host 64
		}
	}
}
`;

const configOf = (folder: string, port: number, target: number): string => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
events { worker_connections 4096; }
http {
  access_log ${folder}/access.log combined buffer=256k flush=1s;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  # Nothing is kept on disk, as by the edge.
  proxy_max_temp_file_size 0;
  keepalive_requests 1000000000;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream target { server 127.0.0.1:${target}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://target;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;
