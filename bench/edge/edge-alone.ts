import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Access } from "../../agents/edge/auth/access.ts";
import { EdgeSessions } from "../../agents/edge/auth/sessions.ts";
import { Edge } from "../../agents/edge/edge.ts";
import { localCertificate } from "../../agents/edge/tls/certificates.ts";
import { trustedProxies } from "../../system/trusted-proxies.ts";

/** The edge in a process of its own, with one public name, `app`, for a port of this machine. Prints its plain port. */

const port = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "berth-bench-edge-"));
const container = { projectId: "0".repeat(24), address: "127.0.0.1", grants: [] };
const alias = {
  revision: 1,
  server_name: "node-1",
  id: "1".repeat(24),
  project_id: container.projectId,
  container_id: "2".repeat(24),
  alias: "app",
  program: "http",
  port,
  index: 1,
  target_path: null,
  allow_path_override: true,
  expires_at: null,
  enabled: true,
};
const edge = new Edge({
  serverName: "node-1",
  containerDomain: "berth.localhost",
  resolveAlias: (label) => (label === "app" ? alias : undefined),
  container: () => container,
  services: {
    open: () => ({ kind: "absent", status: 404, code: "ADDRESS_NOT_FOUND", message: "Only ports are here." }),
    isOpen: () => false,
    shape: (_service, _request, answer) => answer,
  },
  access: new Access(
    { read: () => undefined },
    EdgeSessions.open(join(folder, "key")),
    { has: () => false, waiting: undefined },
    () => container,
  ),
  certificate: await localCertificate(join(folder, "tls"), "node-1.berth.localhost"),
  hostname: "127.0.0.1",
  httpsPort: 0,
  httpPort: 0,
  logs: join(folder, "logs"),
  proxies: trustedProxies(""),
  keepLogsDays: 30,
  log: pino({ level: "silent" }),
});
console.log(edge.httpPort);
