import type { ImageConfig } from "../../../../agents/containers/images/manifest.ts";

/** Configurations of images that many people run, as they are published, and what Docker makes of them. */

export interface WellKnown {
  readonly name: string;
  readonly config: NonNullable<ImageConfig["config"]>;
  /** In place of the image's own arguments, where those would end at once. */
  readonly args?: readonly string[];
  /** The program with its arguments; the program by its last part. */
  readonly argv: string;
  /** The user's and the group's number; root's unless told. */
  readonly as?: string;
  readonly folder?: string;
  readonly endsBy?: "INT" | "QUIT" | "TERM" | "WINCH";
  readonly ports?: readonly string[];
  readonly health?: readonly string[];
}

const PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const entrypoint = ["docker-entrypoint.sh"];
const ports = (...all: string[]) => ({ ExposedPorts: Object.fromEntries(all.map((port) => [port, {}])) });
const volume = (path: string) => ({ Volumes: { [path]: {} } });
const SECOND = 1_000_000_000;

export const WELL_KNOWN: readonly WellKnown[] = [
  {
    name: "nginx",
    config: {
      ...{ Env: [PATH, "NGINX_VERSION=1.29.0"], Entrypoint: ["/docker-entrypoint.sh"] },
      ...{ Cmd: ["nginx", "-g", "daemon off;"], StopSignal: "SIGQUIT", ...ports("80/tcp") },
    },
    ...{ argv: "docker-entrypoint.sh nginx -g daemon off;", endsBy: "QUIT", ports: ["80/tcp"] },
  },
  {
    name: "postgres",
    config: {
      ...{ Env: [PATH, "PGDATA=/var/lib/postgresql/data"], Entrypoint: entrypoint, Cmd: ["postgres"] },
      ...{ StopSignal: "SIGINT", ...volume("/var/lib/postgresql/data"), ...ports("5432/tcp") },
    },
    ...{ argv: "docker-entrypoint.sh postgres", endsBy: "INT", ports: ["5432/tcp"] },
  },
  {
    name: "redis",
    config: {
      ...{ Env: [PATH], Entrypoint: entrypoint, Cmd: ["redis-server"], WorkingDir: "/data" },
      ...{ ...volume("/data"), ...ports("6379/tcp") },
    },
    ...{ argv: "docker-entrypoint.sh redis-server", folder: "/data" },
  },
  {
    name: "mysql",
    config: {
      ...{ Env: [PATH, "MYSQL_MAJOR=8.4"], Entrypoint: entrypoint, Cmd: ["mysqld"] },
      ...{ ...volume("/var/lib/mysql"), ...ports("3306/tcp", "33060/tcp") },
    },
    ...{ argv: "docker-entrypoint.sh mysqld", ports: ["3306/tcp", "33060/tcp"] },
  },
  {
    name: "node",
    config: { Env: [PATH, "NODE_VERSION=22.0.0"], Entrypoint: entrypoint, Cmd: ["node"] },
    argv: "docker-entrypoint.sh node",
  },
  {
    name: "python",
    config: { Env: [PATH, "LANG=C.UTF-8", "PYTHON_VERSION=3.13.0"], Cmd: ["python3"] },
    argv: "python3",
  },
  {
    name: "golang",
    config: {
      ...{ Env: ["PATH=/go/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin", "GOPATH=/go"] },
      ...{ Cmd: ["bash"], WorkingDir: "/go" },
    },
    ...{ argv: "bash", folder: "/go" },
  },
  { name: "alpine", config: { Env: [PATH], Cmd: ["/bin/sh"] }, args: ["probe", "one"], argv: "probe one" },
  { name: "debian", config: { Env: [PATH], Cmd: ["bash"] }, argv: "bash" },
  { name: "ubuntu", config: { Env: [PATH], Cmd: ["/bin/bash"] }, argv: "bash" },
  { name: "busybox", config: { Env: [PATH], Cmd: ["sh"] }, args: ["probe"], argv: "probe" },
  {
    name: "httpd",
    config: {
      ...{ Env: ["PATH=/usr/local/apache2/bin:/usr/local/bin:/usr/bin:/bin"], Cmd: ["httpd-foreground"] },
      ...{ StopSignal: "SIGWINCH", WorkingDir: "/usr/local/apache2", ...ports("80/tcp") },
    },
    ...{ argv: "httpd-foreground", folder: "/usr/local/apache2", endsBy: "WINCH" },
  },
  {
    name: "traefik",
    config: { Env: [PATH], Entrypoint: ["/entrypoint.sh"], Cmd: ["traefik"], ...ports("80/tcp") },
    argv: "entrypoint.sh traefik",
  },
  {
    name: "caddy",
    config: {
      ...{ Env: [PATH, "XDG_CONFIG_HOME=/config"], WorkingDir: "/srv", ...ports("443/udp", "80/tcp") },
      Cmd: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"],
    },
    ...{ argv: "caddy run --config /etc/caddy/Caddyfile", folder: "/srv", ports: ["443/udp", "80/tcp"] },
  },
  {
    name: "grafana",
    config: {
      ...{ Env: ["PATH=/usr/share/grafana/bin:/usr/local/bin:/bin"], Entrypoint: ["/run.sh"], User: "472" },
      ...{ WorkingDir: "/usr/share/grafana", ...ports("3000/tcp") },
    },
    ...{ argv: "run.sh", as: "472:0", folder: "/usr/share/grafana" },
  },
  {
    name: "prometheus",
    config: {
      ...{ Env: [PATH], Entrypoint: ["/bin/prometheus"], Cmd: ["--config.file=/etc/prometheus.yml"] },
      ...{ User: "nobody", WorkingDir: "/prometheus", ...volume("/prometheus"), ...ports("9090/tcp") },
    },
    ...{ argv: "prometheus --config.file=/etc/prometheus.yml", as: "65534:65534", folder: "/prometheus" },
  },
  {
    name: "rabbitmq",
    config: {
      ...{ Env: [PATH, "HOME=/var/lib/rabbitmq"], Entrypoint: entrypoint, Cmd: ["rabbitmq-server"] },
      ...{ ...volume("/var/lib/rabbitmq"), ...ports("5672/tcp") },
    },
    argv: "docker-entrypoint.sh rabbitmq-server",
  },
  {
    name: "memcached",
    config: { Env: [PATH], Entrypoint: entrypoint, Cmd: ["memcached"], User: "memcache", ...ports("11211") },
    ...{ argv: "docker-entrypoint.sh memcached", as: "11211:11211", ports: ["11211/tcp"] },
  },
  {
    name: "registry",
    config: {
      ...{ Env: [PATH], Entrypoint: ["/entrypoint.sh"], Cmd: ["/etc/docker/registry/config.yml"] },
      ...{ ...volume("/var/lib/registry"), ...ports("5000/tcp") },
    },
    argv: "entrypoint.sh /etc/docker/registry/config.yml",
  },
  {
    name: "distroless",
    config: {
      ...{ Env: [PATH, "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"], Entrypoint: ["/app"] },
      ...{ User: "65532:65532", WorkingDir: "/home/nonroot" },
    },
    ...{ argv: "app", as: "65532:65532", folder: "/home/nonroot" },
  },
  {
    name: "vaultwarden",
    config: {
      ...{ Env: [PATH, "ROCKET_PORT=80"], Cmd: ["/start.sh"], ...volume("/data"), ...ports("80/tcp") },
      Healthcheck: { Test: ["CMD", "/healthcheck.sh"], Interval: 60 * SECOND, Timeout: 10 * SECOND },
    },
    ...{ argv: "start.sh", health: ["/healthcheck.sh"] },
  },
];
