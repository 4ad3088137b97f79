import { X509Certificate } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { decode, parseCreds } from "@nats-io/jwt";
import type { FoundRuntime } from "../../agents/containers/oci/runtime-program.ts";
import { hasOwnCounters } from "../../agents/containers/oci/user-counters.ts";
import { checkHost } from "../../agents/join/checks.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type Finding, fault, ok, warning } from "./finding.ts";

const GIGABYTE = 1024 ** 3;
/** PostgreSQL stops when its disk is full. */
const FREE_PART_WARNING = 0.1;
const FREE_PART_FAULT = 0.03;
/** Time to get another one, and to notice that nobody did. */
const DAYS_WARNING = 21;
const DAYS_FAULT = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;
const OTHERS_BITS = 0o077;

export async function checkDisk(folder: string): Promise<Finding> {
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  const { bavail, blocks, bsize } = await statfs(existing);
  return judgeDisk(existing, bavail * bsize, blocks * bsize);
}

export function judgeDisk(folder: string, freeBytes: number, bytes: number): Finding {
  const found = `${Math.floor(freeBytes / GIGABYTE)} of ${Math.floor(bytes / GIGABYTE)} GB free under ${folder}`;
  const remedy =
    "free some room, or move BERTH_DATA to a larger disk: a database stops when its disk is full";
  if (freeBytes < bytes * FREE_PART_FAULT) return fault("disk", found, remedy);
  return freeBytes < bytes * FREE_PART_WARNING ? warning("disk", found, remedy) : ok("disk", found);
}

/** @param version of the Bun that runs */
export function checkBun(version: string): Finding {
  const wanted = packageJson.devDependencies.bun;
  if (version === wanted) return ok("Bun", version);
  return warning("Bun", `${version}; this version is tested with ${wanted}`, "run npm ci, and start by npm");
}

/** Keys that others of the machine can read. */
export function checkSecrets(data: string): Finding {
  const open = ["secrets.json", ...listed(join(data, "keys")), "agent.creds", "agent/agent.creds"]
    .map((name) => join(data, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & OTHERS_BITS) !== 0);
  if (open.length === 0) return ok("secrets", "their owner alone reads them");
  return fault("secrets", `others may read ${open.join(", ")}`, `chmod 600 ${open.join(" ")}`);
}

const listed = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join("keys", name)) : [];

/** Certificates that settings name. */
interface NamedCertificates {
  readonly edge?: string | undefined;
  readonly gateway?: string | undefined;
}

/** @param agent the agent's folder, which has certificates of its own where the settings name none for its edge */
export function checkCertificates(
  agent: string,
  { edge, gateway }: NamedCertificates,
  now = new Date(),
): Finding[] {
  const named = [edge, gateway].filter((path): path is string => Boolean(path));
  const own = ["ca.pem", "leaf.pem"].map((name) => join(agent, "edge/tls", name));
  return [
    ...named.map((path) => checkCertificate(path, now, "replace it: it is read again by itself")),
    ...(edge ? [] : own.filter((path) => existsSync(path))).map((path) =>
      checkCertificate(path, now, "replace it, and restart the agent"),
    ),
  ];
}

function checkCertificate(path: string, now: Date, remedy: string): Finding {
  try {
    const { validTo } = new X509Certificate(readFileSync(path));
    return judgeExpiry("certificate", path, new Date(validTo), now, remedy);
  } catch (error) {
    const found = `${path} cannot be read: ${(error as Error).message}`;
    return fault("certificate", found, "replace it by a file in PEM");
  }
}

/** The credential by which the agent connects to NATS; a running agent renews it. */
export async function checkCredential(agent: string, now = new Date()): Promise<Finding[]> {
  const path = credentialFile(agent);
  if (!existsSync(path)) return [];
  const { jwt } = await parseCreds(readFileSync(path));
  const { exp = 0 } = decode(jwt);
  const remedy =
    "start the agent, which renews it; once it has expired, join again: POST /api/v1/admin/hosts/{id}/token";
  return [judgeExpiry("credential of the agent", path, new Date(exp * 1_000), now, remedy)];
}

function judgeExpiry(check: string, path: string, end: Date, now: Date, remedy: string): Finding {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  const found = days < 0 ? `${path} has expired` : `${path}: ${days} days left`;
  if (days < DAYS_FAULT) return fault(check, found, remedy);
  return days < DAYS_WARNING ? warning(check, found, remedy) : ok(check, found);
}

/** Whether this machine can isolate containers. @param setting the OCI runtime that the operator wants */
export async function checkIsolation(
  agent: string,
  path: string | undefined,
  setting?: string,
): Promise<Finding[]> {
  const { checks, runtime } = await checkHost(agent, path, setting);
  const findings = checks
    .filter(({ name }) => name !== "disk")
    .map(({ name, found, remedy }) =>
      remedy === undefined ? ok(`host: ${name}`, found) : fault(`host: ${name}`, found, remedy),
    );
  return runtime === null ? findings : [...findings, await judgeCounters(runtime)];
}

async function judgeCounters({ name }: FoundRuntime): Promise<Finding> {
  const check = "host: counters by user";
  if (await hasOwnCounters(name)) return ok(check, "each container has its own");
  const remedy =
    "use crun as BERTH_RUNTIME, and let others than root make user namespaces, or raise the limits: docs/operations.md, user_counters";
  return warning(check, "containers and the host's root share inotify, signals and locked memory", remedy);
}
