import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../../agents/exec/command.ts";
import { natsServerPath } from "../../../scripts/provision.ts";
import { postgresBinaries } from "../../../scripts/servers/postgres-binaries.ts";
import { type Dockerfile, type ImageConfig, readDockerfile } from "./compose-file.ts";

/**
 * Images that stand in for those that the compose file names, where nothing can be downloaded: roots of this machine's own files, with the
 * real programs. The image `berth` is what `deploy/Dockerfile` says.
 */

export interface Image {
  readonly config: ImageConfig;
  /** Folders of its root that are somewhere on this machine. `null` for a folder that the image has no more. */
  readonly folders: Readonly<Record<string, string | null>>;
}

const ROOT = join(import.meta.dir, "../../..");
const DOCKERFILE = join(ROOT, "deploy/Dockerfile");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Where the build keeps the console. */
const CACHE = "node_modules/.cache";
const BUILD = 'mkdir -p "$1" && mount --bind "$0" "$1" && shift && exec "$@"';
const BUILD_MS_MAX = 120_000;

/** As the entry point of the image of PostgreSQL: makes the database at the first start, and then is the server. */
const POSTGRES_ENTRYPOINT = `#!/bin/sh
set -eu
export PGDATA=/var/lib/postgresql/data
server() { setpriv --reuid=65534 --regid=65534 --clear-groups /opt/postgresql/bin/"$@"; }
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  install -o nobody -m 600 "$POSTGRES_PASSWORD_FILE" /run/password
  chown nobody /var/lib/postgresql
  server initdb --no-sync -D "$PGDATA" -U "$POSTGRES_USER" -A scram-sha-256 -E UTF8 --locale=C --pwfile=/run/password
  echo "CREATE DATABASE $POSTGRES_DB" | server postgres --single -D "$PGDATA" postgres
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid=65534 --regid=65534 --clear-groups /opt/postgresql/bin/postgres -D "$PGDATA" -c listen_addresses='*' -c fsync=off -k ""
`;
/** The package of PostgreSQL that the tests have is without it. The server says in this file that it takes connections. */
const PG_ISREADY = `#!/bin/sh
exec grep -q '^ready' /var/lib/postgresql/data/postmaster.pid
`;

/** The images by their names. @param folder where parts of them are made */
export async function makeImages(folder: string): Promise<Readonly<Record<string, Image>>> {
  const dockerfile = readDockerfile(readFileSync(DOCKERFILE, "utf8"));
  const busybox = Bun.which("busybox") ?? "";
  const programs = (name: string, files: Record<string, string | Uint8Array>): string => {
    const bin = join(folder, name);
    mkdirSync(bin, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(bin, file), text);
      chmodSync(join(bin, file), 0o755);
    }
    copyFileSync(busybox, join(bin, "busybox"));
    chmodSync(join(bin, "busybox"), 0o755);
    symlinkSync("busybox", join(bin, "wget"));
    return bin;
  };
  const plain: ImageConfig = { entrypoint: [], command: [], env: { PATH }, user: "0:0", folder: "/" };
  const { config, copied, removed } = dockerfile;
  const berth: Image = {
    config: { ...config, env: { PATH, ...config.env } },
    folders: {
      "/usr/local/bin": programs("berth", { bun: readFileSync(process.execPath) }),
      ...Object.fromEntries(copied.map((name) => [`/opt/berth/${name}`, join(ROOT, name)])),
      "/opt/berth/node_modules": join(ROOT, "node_modules"),
      ...Object.fromEntries(
        removed.filter((name) => existsSync(join(ROOT, name))).map((name) => [`/opt/berth/${name}`, null]),
      ),
      [`/opt/berth/${CACHE}`]: await buildConsole(join(folder, "console"), dockerfile),
    },
  };
  const nats: Image = {
    config: { ...plain, entrypoint: ["nats-server"] },
    folders: { "/usr/local/bin": programs("nats", { "nats-server": readFileSync(await natsServerPath()) }) },
  };
  const postgres: Image = {
    config: { ...plain, entrypoint: ["entrypoint"] },
    folders: {
      "/usr/local/bin": programs("postgres", { entrypoint: POSTGRES_ENTRYPOINT, pg_isready: PG_ISREADY }),
      "/opt/postgresql": join(dirname(postgresBinaries(undefined).postgres), ".."),
    },
  };
  return {
    berth,
    "docker.io/library/nats:2.12-alpine": nats,
    "docker.io/library/postgres:18": postgres,
  };
}

/** Does what the build of the image does last. @returns the folder with what it has made */
async function buildConsole(folder: string, { lastStep }: Dockerfile): Promise<string> {
  const script = /^\/bun -e '(.*)'$/.exec(lastStep)?.[1];
  if (script === undefined) throw new Error(`the last step of the build is another one: ${lastStep}`);
  mkdirSync(folder);
  const here = script.replaceAll("/opt/berth", ROOT);
  await run(
    ["unshare", "--mount", "sh", "-c", BUILD, folder, join(ROOT, CACHE), process.execPath, "-e", here],
    undefined,
    BUILD_MS_MAX,
  );
  return folder;
}
