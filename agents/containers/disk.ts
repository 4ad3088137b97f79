import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../exec/command.ts";

/** What a container takes of the host's disk. */
export interface DiskUse {
  readonly bytes: number;
  /** Files and folders, each of which takes an inode; 0 where they cannot be counted. */
  readonly files: number;
}

/** On a slow disk that is read from elsewhere as well; the number of files bounds the work. */
const MEASURE_MS_MAX = 5 * 60 * 1_000;
/** More of them no container has where the kernel counts them (cgroup.ts), and so many fit in one command. */
const PROCESSES_MAX = 2_048;
/** A million open files are looked through in that time. */
const OPEN_FILES_SECONDS_MAX = 10;
/** What `find` and `stat` count in. */
const BLOCK_BYTES = 512;

/**
 * Of least priority: the containers' own work comes first. Files that vanish meanwhile are no failure. What is counted comes as
 * lines of device, inode, names, kind and blocks: first the files that have a name, then those that have none left and live on as
 * long as a process holds them open or has them mapped. A file of several names, or held several times, counts once.
 *
 * Arguments: the folder, the most files, the device that its files have for the container's processes, and the folders of
 * /proc in which these have what they hold.
 */
const MEASURE = `
folder=$1 most=$2 device=$3
shift 3
{
  find "$folder" -xdev -printf '%D %i %n %y %b\\n'
  [ $# -eq 0 ] ||
    timeout ${OPEN_FILES_SECONDS_MAX} stdbuf -oL find -L "$@" -maxdepth 1 -type f -links 0 -printf '%D %i 0 f %b\\n'
} 2>/dev/null | awk -v most="$most" -v device="$device" '
  NR == 1 { own = $1 }
  $1 != own && $1 != device { next }
  $3 != 1 && $4 != "d" && seen[$2]++ { next }
  { files++; blocks += $5 }
  files > most { exit }
  END { printf "%.0f %.0f\\n", files, blocks }
'`;
/** For systems with another find. */
const MEASURE_BYTES = 'du -s -x -k "$1" 2>/dev/null || :';
const shell = (script: string) => ["nice", "-n", "19", "/bin/sh", "-c", script, "measure"];

/**
 * Measures it, up to one file more than a container may have.
 *
 * @param folder the container's
 * @param processes its own, as the host numbers them
 */
export async function diskUse(
  folder: string,
  filesMax: number,
  processes: readonly number[],
): Promise<DiskUse> {
  const root = join(folder, "root");
  // Written by make-root.ts: under an overlay the files have another device inside than on the host.
  const device = (await readFile(join(folder, "device"), "utf8").catch(() => "")).trim();
  const held = rotated(processes)
    .slice(0, PROCESSES_MAX)
    .flatMap((pid) => [`/proc/${pid}/fd`, `/proc/${pid}/map_files`]);
  const argv = [...shell(MEASURE), root, String(filesMax), device, ...held];
  const [files = 0, blocks = 0] = (await run(argv, undefined, MEASURE_MS_MAX)).split(" ").map(Number);
  if (files > 0) return { files, bytes: blocks * BLOCK_BYTES };
  const said = await run([...shell(MEASURE_BYTES), root], undefined, MEASURE_MS_MAX);
  return { files: 0, bytes: Number(/^\d+/.exec(said)?.[0] ?? 0) * 1024 };
}

/** From another one on each time: what is not reached before time is up is reached by a later look. */
function rotated<T>(items: readonly T[]): T[] {
  const from = Math.floor(Math.random() * items.length);
  return [...items.slice(from), ...items.slice(0, from)];
}
