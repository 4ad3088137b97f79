import { LOG_LEVELS } from "./log-levels.ts";
import { File, List, Port, PostgresUrl, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** The control plane: databases, NATS, ports, keys. */
export const controlPlane: readonly Setting[] = [
  {
    name: "DATABASE_URL",
    roles: ["gateway", "actors", "start"],
    type: PostgresUrl,
    standardIs: "`npm start`: a PostgreSQL of its own",
    meaning:
      "the PostgreSQL of the cluster, `postgres://user:password@host/database`; with `host-1,host-2` connections lead to the primary among them ([cluster](operations/cluster.md))",
    isSecret: true,
  },
  {
    name: "BERTH_GATEWAY_DATABASE_URL",
    roles: ["gateway", "start"],
    type: PostgresUrl,
    standardIs: "`DATABASE_URL`",
    meaning: "the same database for a role that only reads",
    isSecret: true,
  },
  {
    name: "BERTH_OWNER_DATABASE_URL",
    roles: ["start"],
    type: PostgresUrl,
    standardIs: "`DATABASE_URL`",
    meaning:
      "the same database for the role that owns the schema: for `berth migrate`, `berth restore` and `npm start`",
    isSecret: true,
  },
  {
    name: "NATS_URL",
    roles: ["gateway", "actors", "agent", "start"],
    type: Url,
    standardIs: "`npm start`: a NATS of its own",
    meaning:
      "`nats://user:password@host:4222`, or `nats://host:4222?creds=FILE`; several are separated by commas",
    isSecret: true,
  },
  {
    name: "BERTH_NATS_KEYS_FILE",
    roles: ["gateway"],
    type: File,
    meaning:
      "the keys by which hosts get their accounts and credentials at NATS ([NATS](operations.md#nats)); the same for all gateways. Without it, accounts are kept by hand",
  },
  {
    name: "BERTH_AGENT_NATS_URL",
    roles: ["gateway"],
    type: Url,
    standardIs: "that of `NATS_URL`",
    meaning: "where hosts reach NATS, `tls://nats.example:4222`: hosts that join are told",
  },
  {
    name: "BERTH_PORT",
    roles: ["gateway", "start"],
    type: Whole(1, 65_535),
    standard: "3000",
    meaning: "the port of the API; gateways of one installation may share it on one machine",
  },
  {
    name: "BERTH_LISTEN",
    roles: ["gateway"],
    type: Text,
    standard: "0.0.0.0",
    meaning: "the address that the API listens on",
  },
  {
    name: "BERTH_DRAIN_SECONDS",
    roles: ["gateway"],
    type: Whole(0, 300),
    standard: "0",
    meaning:
      "how long a gateway that gets SIGTERM serves on while `/health/ready` says 503, so that a load balancer sends its requests elsewhere: longer than the balancer takes to notice ([upgrades](operations/upgrades.md))",
  },
  {
    name: "BERTH_LISTEN",
    roles: ["start"],
    type: Text,
    standard: "127.0.0.1",
    meaning: "the address that the API and the edge listen on; `0.0.0.0` lets other machines in",
  },
  {
    name: "BERTH_PUBLIC_URL",
    roles: ["gateway", "actors"],
    type: Url,
    standardIs: "`http://` with address and port",
    meaning:
      "where browsers reach the gateway. With a host name in it, the console takes sessions from pages of that name only (and from addresses and `localhost`), so set it wherever people open the console by a name; the sandbox's pages, the return page and the callback of a code host are under it, links of [mail](operations/mail.md) lead there, and only there does the console show terminals in its page. [Passkeys](accounts.md#passkeys) belong to its host name, and are lost with a change of it",
  },
  {
    name: "BERTH_SIGNING_KEY_FILE",
    roles: ["gateway"],
    type: File,
    meaning: "Ed25519, PKCS#8 PEM; the same for all gateways: `openssl genpkey -algorithm ed25519`",
  },
  {
    name: "BERTH_SECRETS_KEY_FILE",
    roles: ["gateway", "actors"],
    type: File,
    meaning:
      "keys of [secrets](containers.md#secrets), the same for all gateways and actor hosts: 32 bytes in base64, one a line (`openssl rand -base64 32`). The first encrypts, all decrypt. Without it secrets are refused",
  },
  {
    name: "BERTH_TRUSTED_PROXIES",
    roles: ["gateway", "agent"],
    type: List,
    meaning:
      "addresses and networks of the proxies in front of it, `10.0.0.0/8,::1`: their `X-Forwarded-For` is trusted ([a front](operations/front.md)). Without the setting, all clients of a proxy share the limits of one address",
  },
  {
    name: "BERTH_CONSOLE_BUILD",
    roles: ["gateway"],
    type: Word("start", "first-visit"),
    standard: "start",
    meaning:
      "when the [console](../gateway/console/README.md) is built, which takes some seconds once for a version: in the background at the `start` of the gateway, or at the `first-visit`",
  },
  {
    name: "BERTH_NATS_REPLICAS",
    roles: ["gateway", "actors"],
    type: Word("1", "3", "5"),
    standard: "1",
    meaning:
      "how many servers of a NATS cluster keep each stream and bucket: 3 outlive the loss of any one server ([cluster](operations/cluster.md))",
  },
  {
    name: "BERTH_HOST_ID",
    roles: ["actors"],
    type: Text,
    standard: "actors",
    meaning: "a name in logs; each process adds a suffix of its own",
  },
  {
    name: "BERTH_LEASE_TTL_MS",
    roles: ["actors"],
    type: Whole(500, 60_000),
    standard: "5000",
    meaning: "how soon the partitions of a dead actor host are taken over by others",
  },
  {
    name: "BERTH_LANES",
    roles: ["actors"],
    type: Whole(1, 16),
    standardIs: "one for two cores, 1 to 4",
    meaning:
      "commits in progress at once; use more where the database is far away, so that waiting for it costs less",
  },
  {
    name: "BERTH_ACTORS_MEMORY_MB",
    roles: ["actors"],
    type: Whole(64, 1_048_576),
    standard: "1024",
    meaning: "above it, idle activations are evicted and loaded again at their next message",
  },
  {
    name: "BERTH_METRICS_PORT",
    roles: ["gateway", "actors", "agent", "services"],
    type: Port,
    meaning:
      "the port of `/metrics` (Prometheus), `/health/live` and `/health/ready`: never the port that users reach",
  },
  {
    name: "BERTH_METRICS_PORT",
    roles: ["start"],
    type: Whole(1, 65_000),
    standard: "9310",
    meaning:
      "the port of the gateway's metrics; the other processes take the next free ports, and the start prints them all",
  },
  {
    name: "BERTH_METRICS_LISTEN",
    roles: ["gateway", "actors", "agent", "services"],
    type: Text,
    standard: "127.0.0.1",
    meaning:
      "the address of that port. A scraper on another machine needs an address of the operator's own network",
  },
  {
    name: "BERTH_LOG_LEVEL",
    roles: ["gateway", "actors", "agent"],
    type: Word(...LOG_LEVELS),
    standard: "info",
    meaning:
      "which lines the process logs; `debug` has one for each request. [SIGHUP reads it again](operations.md#logs)",
  },
  {
    name: "BERTH_CONFIG",
    roles: ["gateway", "actors", "agent", "start"],
    type: File,
    meaning: "a file with further settings; `--config FILE` names one too",
  },
];
