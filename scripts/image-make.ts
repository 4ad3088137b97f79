import { appendFile, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { importImage } from "../agents/containers/images/import-image.ts";
import { ImageStore } from "../agents/containers/images/store.ts";
import { debootstrap } from "../agents/containers/root-image.ts";
import { formatImageReference, parseImageReference } from "../schemas/hosting/image-reference.ts";
import { CODE_PORT, CODE_START, installCode } from "./code-server.ts";
import { imageStoreOf } from "./image-import.ts";
import { packLayout } from "./image-layout.ts";
import { SetupError } from "./setup-error.ts";

/** Images that are made on this machine when somebody asks for them: they are too large to be made on the way. */

export interface Recipe {
  readonly reference: string;
  /** What Debian is made of, besides the smallest one. */
  readonly packages: readonly string[];
  /** What the image declares. */
  readonly labels: Readonly<Record<string, string>>;
  /** Adds what is no package of Debian. @param work a folder that goes afterwards */
  readonly addTo?: (root: string, work: string, say: (line: string) => void) => Promise<void>;
}

const SHELL = ["ca-certificates", "iproute2", "procps", "less", "nano", "perl-base"];

export const RECIPES = {
  desktop: {
    reference: "berth.localhost/desktop:1",
    packages: [
      ...SHELL,
      ...["tigervnc-standalone-server", "icewm", "xterm", "pcmanfm", "xclip"],
      ...["dbus", "dbus-x11", "fonts-dejavu-core"],
    ],
    // Display :1, which is started as any display is where there is Xvnc: with the desktop that is installed.
    labels: { "berth.program.display": "5901" },
  },
  code: {
    reference: "berth.localhost/code:1",
    packages: [...SHELL, "git"],
    labels: {
      "berth.program.code": String(CODE_PORT),
      "berth.program.code.command": JSON.stringify(CODE_START),
    },
    addTo: installCode,
  },
} as const satisfies Record<string, Recipe>;

const USER = "dev:x:1000:1000:dev:/home/dev:/bin/bash\n";
const GROUP = "dev:x:1000:\n";
/** It waits for whoever comes; its programs are started when they are asked for. */
const ENTRYPOINT = ["/bin/sh", "-c", "while :; do sleep 86400 & wait $!; done"];

/**
 * `berth image make <name>`
 *
 * @throws SetupError with the reason
 */
export async function imageMake(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [name = ""]: readonly string[],
): Promise<boolean> {
  if (!Object.hasOwn(RECIPES, name))
    throw new SetupError(`there is no ${name}: ${Object.keys(RECIPES).join(" or ")}`);
  const recipe: Recipe = RECIPES[name as keyof typeof RECIPES];
  const mirror = env.BERTH_DEBIAN_MIRROR || "http://deb.debian.org/debian";
  try {
    say(`Debian with ${recipe.packages.join(", ")}`);
    await makeImage(recipe, imageStoreOf(env), debootstrap(mirror, recipe.packages), say);
    return true;
  } catch (error) {
    throw new SetupError(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Makes an image and imports it.
 *
 * @param folder the agent's store of images
 * @param makeBase makes the system in a folder that is there and empty
 */
export async function makeImage(
  recipe: Recipe,
  folder: string,
  makeBase: (root: string) => Promise<void>,
  say: (line: string) => void,
): Promise<void> {
  const store = new ImageStore(folder);
  await store.open();
  const work = await store.workFolder();
  try {
    const root = join(work, "root");
    await mkdir(root);
    await makeBase(root);
    await addUser(root);
    await recipe.addTo?.(root, work, say);
    say("packing");
    const layout = join(work, "layout");
    await packLayout(root, configOf(recipe), layout);
    await rm(root, { recursive: true });
    const reference = parseImageReference(recipe.reference);
    const { digest } = await importImage(layout, reference, store);
    say(`imported  ${formatImageReference(reference)}  ${digest}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Programs for people do not run as root. */
async function addUser(root: string): Promise<void> {
  await appendFile(join(root, "etc/passwd"), USER);
  await appendFile(join(root, "etc/group"), GROUP);
  const home = join(root, "home/dev");
  await mkdir(home, { recursive: true });
  await chown(home, 1000, 1000);
}

const configOf = ({ labels }: Recipe) => ({
  Entrypoint: ENTRYPOINT,
  User: "dev",
  WorkingDir: "/home/dev",
  Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/home/dev"],
  Labels: labels,
});
