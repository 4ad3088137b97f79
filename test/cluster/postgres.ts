import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./machine.ts";

/** PostgreSQL under Patroni, which agrees by etcd on who is the primary. The programs are Debian's. */

const BIN = "/usr/lib/postgresql";
export const SUPERUSER = "postgres";
export const SUPERUSER_PASSWORD = "of-this-cluster";

const EXAMPLE = join(import.meta.dir, "../../deploy/patroni.yml");

export interface PostgresNode {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  /** Of etcd, `host:port`. */
  readonly etcd: readonly string[];
  readonly subnet: string;
  readonly version: string;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** Writes the configuration of Patroni, and answers how it is run. */
export function patroniProgram(node: PostgresNode): Program {
  const { name, folder, owner } = node;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, owner.uid, owner.gid);
  const file = join(folder, "patroni.yml");
  writeFileSync(file, patroniConfiguration(node), { mode: 0o600 });
  chownSync(file, owner.uid, owner.gid);
  return {
    name: `patroni-${name}`,
    command: [
      ...["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"],
      ...["patroni", file],
    ],
    env: { HOME: folder, LC_ALL: "C.UTF-8" },
  };
}

/** The operators' example, with its values in angle brackets filled in. */
function patroniConfiguration({ name, address, folder, etcd, subnet, version }: PostgresNode): string {
  const values: Readonly<Record<string, string>> = {
    name,
    address,
    folder,
    subnet,
    etcd: etcd.join(","),
    programs: join(BIN, version, "bin"),
    password: SUPERUSER_PASSWORD,
  };
  return readFileSync(EXAMPLE, "utf8").replace(/<(\w+)>/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`deploy/patroni.yml: nobody knows <${key}>`);
    return value;
  });
}

export interface EtcdNode {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  /** Every member, `name=http://host:2380`. */
  readonly members: string;
}

export const etcdProgram = ({ name, address, folder, members }: EtcdNode): Program => ({
  name: `etcd-${name}`,
  command: [
    ...["etcd", "--name", name, "--data-dir", folder],
    ...[
      "--listen-client-urls",
      `http://${address}:2379`,
      "--advertise-client-urls",
      `http://${address}:2379`,
    ],
    ...[
      "--listen-peer-urls",
      `http://${address}:2380`,
      "--initial-advertise-peer-urls",
      `http://${address}:2380`,
    ],
    ...["--initial-cluster", members, "--heartbeat-interval", "200", "--election-timeout", "2000"],
    ...["--logger", "zap", "--log-level", "warn"],
  ],
});

/** The newest PostgreSQL of Debian here; undefined without one. */
export function installedPostgres(): string | undefined {
  const versions = [...new Bun.Glob("*/bin/postgres").scanSync({ cwd: BIN, onlyFiles: false })];
  return versions
    .map((path) => path.split("/")[0] as string)
    .sort((a, b) => Number(b) - Number(a))
    .at(0);
}
