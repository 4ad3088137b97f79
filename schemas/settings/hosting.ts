import { Decimal, File, List, Port, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** Hosts: containers, the edge, terminals. */
export const hosting: readonly Setting[] = [
  {
    name: "BERTH_CONTAINER_DOMAIN",
    roles: ["gateway", "actors", "agent", "start"],
    type: Text,
    standard: "berth.localhost",
    meaning:
      "the domain under which containers and aliases have their addresses: `<alias>.<server>.<domain>`",
  },
  {
    name: "BERTH_EDGE_PORT",
    roles: ["gateway"],
    type: Whole(1, 65_535),
    standard: "443",
    meaning: "the port in addresses of containers and aliases: the one under which clients reach the edges",
  },
  {
    name: "BERTH_EDGE_PORT",
    roles: ["agent"],
    type: Port,
    standard: "8443",
    meaning: "where its edge listens for TLS ([edge.md](edge.md)); 0 means any free port",
  },
  {
    name: "BERTH_EDGE_PORT",
    roles: ["start"],
    type: Whole(1, 65_535),
    standard: "8443",
    meaning: "the port of the edge, through which containers are reached",
  },
  {
    name: "BERTH_EDGE_HTTP_PORT",
    roles: ["agent"],
    type: Port,
    standard: "8080",
    meaning: "where its edge listens for plain HTTP",
  },
  {
    name: "BERTH_EDGE_HTTP_PORT",
    roles: ["start"],
    type: Whole(1, 65_535),
    standard: "8080",
    meaning: "the same by plain HTTP",
  },
  {
    name: "BERTH_EDGE_PUBLIC_PORT",
    roles: ["agent"],
    type: Whole(1, 65_535),
    standardIs: "`BERTH_EDGE_PORT`",
    meaning:
      "the port of https in redirects and hints: that of the front, where one stands before the edge ([front](operations/front.md))",
  },
  {
    name: "BERTH_EDGE_LISTEN",
    roles: ["agent"],
    type: Text,
    standard: "0.0.0.0",
    meaning: "the address that its edge listens on",
  },
  {
    name: "BERTH_EDGE_LISTEN",
    roles: ["start"],
    type: Text,
    standardIs: "`BERTH_LISTEN`",
    meaning: "the address that the edge listens on",
  },
  {
    name: "BERTH_EDGE_CERT",
    roles: ["agent"],
    type: File,
    standardIs: "an authority of its own",
    meaning: "the certificate for `*.<server>.<domain>` in PEM; a changed file is used within seconds",
  },
  {
    name: "BERTH_EDGE_KEY",
    roles: ["agent"],
    type: File,
    meaning: "its key in PEM",
  },
  {
    name: "BERTH_EDGE_AUTHORITY",
    roles: ["gateway"],
    type: File,
    standardIs: "none: the certificates are of a public authority",
    meaning:
      "the authorities, in PEM, that have signed the certificates of hosts' edges, where browsers do not know them: the console and the command line offer the file ([edge.md](edge.md#certificates)). `npm start` names the one that its own host has made",
  },
  {
    name: "BERTH_RESERVED_ALIASES",
    roles: ["actors"],
    type: List,
    standardIs: "`www`, `api`, `admin`, `mail` and the like",
    meaning:
      "names that no alias may have, separated by commas; replaces the default list. An alias whose name becomes reserved stays as it is, and cannot be enabled again under that name",
  },
  {
    name: "BERTH_FIREWALL_MAX_BYTES",
    roles: ["gateway", "actors"],
    type: Whole(256, 524_288),
    standard: "65536",
    meaning: "the size of all rules of a container; give both the same",
  },
  {
    name: "BERTH_FIREWALL_APPLIED_WITHIN_MS",
    roles: ["gateway"],
    type: Whole(0, 60_000),
    standard: "1000",
    meaning:
      "how long the reply to a change of a firewall waits for the host, which takes some milliseconds; past it the reply says `applied: false`, and the host applies the change later",
  },
  {
    name: "BERTH_SERVER_NAME",
    roles: ["agent"],
    type: Text,
    meaning: "the server's name in Berth",
  },
  {
    name: "BERTH_DATA",
    roles: ["agent"],
    type: Text,
    meaning: "the agent's own folder: containers and their state",
  },
  {
    name: "BERTH_DATA",
    roles: ["start"],
    type: Text,
    standard: ".berth",
    meaning: "the folder for data, logs and secrets",
  },
  {
    name: "BERTH_DRIVER",
    roles: ["agent"],
    type: Word("oci", "process"),
    standardIs: "`oci` where the host has what it needs, else `process`",
    meaning:
      "`oci`: containers are isolated by crun, with user ids of their own; `process`: they are plain processes",
  },
  {
    name: "BERTH_RUNTIME",
    roles: ["agent"],
    type: Text,
    standardIs: "`crun`",
    meaning:
      "the OCI runtime that makes containers: `crun`, `runc`, `runsc` (gVisor; not tried), or the path of one. Containers that run keep the one that they were started by",
  },
  {
    name: "BERTH_AT_END",
    roles: ["agent"],
    type: Word("leave", "stop"),
    standard: "leave",
    meaning: "`stop`: containers end with the agent, and start again with it",
  },
  {
    name: "BERTH_CONTAINER_SUBNET",
    roles: ["agent"],
    type: Text,
    standardIs: "`10.77.0.0/16`",
    meaning:
      "addresses of containers; the agent refuses a subnet that its host has, reaches by a route, or that another agent of the host uses",
  },
  {
    name: "BERTH_CONTAINER_CPUS",
    roles: ["agent"],
    type: Decimal(0.1, 1_024),
    standardIs: "half of the host's",
    meaning:
      "processors of a container that [asks for none](containers.md#settings); may be a fraction. This and the next two are also the most that a container may ask for, if they are set; otherwise it may ask for all that its server's specification has",
  },
  {
    name: "BERTH_CONTAINER_MEMORY_MB",
    roles: ["agent"],
    type: Decimal(16, 1_000_000_000),
    standardIs: "half of the host's, 4096 at most",
    meaning: "memory of a container",
  },
  {
    name: "BERTH_CONTAINER_DISK_MB",
    roles: ["agent"],
    type: Decimal(64, 1_000_000_000),
    standardIs: "10240",
    meaning: "disk space of one container's files",
  },
  {
    name: "BERTH_CONTAINER_FILES",
    roles: ["agent"],
    type: Decimal(20_000, 1_000_000_000),
    standard: "500000",
    meaning: "files and folders that one container may have",
  },
  {
    name: "BERTH_CONTAINER_BANDWIDTH_MBPS",
    roles: ["agent"],
    type: Decimal(1, 10_000_000),
    standardIs: "no limit",
    meaning:
      "megabits per second of a container's network, each way, and the most that a container may ask for. A server whose specification says less is held to that",
  },
  {
    name: "BERTH_PROJECT_CPUS",
    roles: ["agent"],
    type: Decimal(0.1, 1_024),
    standardIs: "all of the host's",
    meaning:
      "processors that the containers of a project use together, and the most that one of them has. Under load each project has an equal part",
  },
  {
    name: "BERTH_PROJECT_MEMORY_MB",
    roles: ["agent"],
    type: Decimal(16, 1_000_000_000),
    standardIs: "seven eighths of the host's",
    meaning: "memory that the containers of a project use together, and the most that one of them has",
  },
  {
    name: "BERTH_PROJECT_PROCESSES",
    roles: ["agent"],
    type: Decimal(16, 4_194_304),
    standard: "8192",
    meaning: "processes that the containers of a project have together",
  },
  {
    name: "BERTH_PROJECT_DISK_MB_PER_SECOND",
    roles: ["agent"],
    type: Decimal(1, 1_000_000_000),
    standardIs: "no limit",
    meaning:
      "megabytes that the containers of a project read in a second together, and as many that they write, on the disk with the agent's folder. Under control groups v1 writes that go through the page cache are not counted",
  },
  {
    name: "BERTH_CONTAINER_DNS",
    roles: ["agent"],
    type: List,
    standardIs: "the host's",
    meaning: "the name servers that the agent asks for its containers, up to three addresses",
  },
  {
    name: "BERTH_CONTAINER_DENY",
    roles: ["agent"],
    type: List,
    standardIs: "the private ones: `10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10`",
    meaning:
      "networks that containers do not reach, up to 64, in place of the private ones; `none`: they reach all. 169.254.0.0/16 is always denied, and the other containers of the host are so only if `BERTH_CONTAINER_SUBNET` is named here",
  },
  {
    name: "BERTH_CONTAINER_CONNECTIONS",
    roles: ["agent"],
    type: Decimal(16, 65_536),
    standardIs: "a 32nd of `nf_conntrack_max`, 1024 to 8192",
    meaning:
      "open connections of a container, counted separately for outgoing and incoming ones. After as many new ones at once, a tenth of the limit may be opened each second. Further ones are refused. Above 8192 each new one costs the host tens of microseconds",
  },
  {
    name: "BERTH_LOCAL_REGISTRIES",
    roles: ["agent"],
    type: List,
    meaning:
      "registries in your own network, by URL: `http://registry.lan:5000,https://…`. Only these may have a private address or speak plain HTTP",
  },
  {
    name: "BERTH_REGISTRY_MIRRORS",
    roles: ["agent"],
    type: List,
    meaning: "mirrors that are tried before a registry: `docker.io=https://mirror.lan,…`",
  },
  {
    name: "BERTH_REGISTRY_CREDENTIALS",
    roles: ["agent"],
    type: File,
    meaning:
      "a file as `docker login` writes it (`config.json`), with credentials of this host for registries and mirrors; read at each pull. All containers of the host can use the images that they give access to",
  },
  {
    name: "BERTH_ROOT_IMAGE",
    roles: ["agent"],
    type: Word("host", "debian13"),
    standard: "host",
    meaning:
      "the root file system of new containers without an image: `host`, the host's own programs, read-only; `debian13`, a Debian of their own in which `apt` works, made once by debootstrap (needs debootstrap, gpgv and a minute)",
  },
  {
    name: "BERTH_DEBIAN_MIRROR",
    roles: ["agent"],
    type: Url,
    standard: "http://deb.debian.org/debian",
    meaning: "where that Debian comes from",
  },
  {
    name: "BERTH_TERMINAL_COMMAND",
    roles: ["agent"],
    type: Text,
    standardIs: "the user's own shell",
    meaning:
      "the command of web terminal sessions whose address names no shell; its words are separated by blanks, and containers must have it",
  },
  {
    name: "BERTH_TERMINAL_URL_ARG",
    roles: ["agent"],
    type: Word("0", "1"),
    standard: "0",
    meaning: "1: addresses of web terminals may add arguments to the shell (`arg`)",
  },
  {
    name: "BERTH_TERMINAL_TOKEN",
    roles: ["services"],
    type: Text,
    meaning:
      "the credential of `bun run terminal`, 16 characters or more; needed for any other address than 127.0.0.1",
    isSecret: true,
  },
  {
    name: "BERTH_NOTIFIER_TOKEN",
    roles: ["services"],
    type: Text,
    meaning:
      "the credential of `bun run notifier`, 16 characters or more; needed for any other address than 127.0.0.1",
    isSecret: true,
  },
  {
    name: "BERTH_DISPLAY_TOKEN",
    roles: ["services"],
    type: Text,
    meaning:
      "the credential of `bun run display`, 16 characters or more; needed for any other address than 127.0.0.1",
    isSecret: true,
  },
];
