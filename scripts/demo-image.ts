import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { which } from "bun";
import { importImage } from "../agents/containers/images/import-image.ts";
import { ImageStore } from "../agents/containers/images/store.ts";
import { missingPrerequisite } from "../agents/containers/prerequisites.ts";
import { run } from "../agents/exec/command.ts";
import { parseImageReference } from "../schemas/hosting/image-reference.ts";
import { packLayout } from "./image-layout.ts";

/**
 * Builds a small image, so that the demo has a real one without a registry: a web server in perl and a shell, from
 * this machine's own programs and their libraries.
 */

export const DEMO_IMAGE = "berth.localhost/web-server:1";

const PROGRAMS = ["perl", "sh", "bash", "cat", "env", "id", "ls", "ps", "script", "sleep", "stat"];
const FILES: Readonly<Record<string, string>> = {
  "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nweb:x:1000:1000:web:/srv:/bin/sh\n",
  "etc/group": "root:x:0:\ntty:x:5:\nweb:x:1000:\n",
};
const CONFIG = {
  Entrypoint: ["/usr/bin/perl", "/srv/server.pl"],
  User: "web",
  WorkingDir: "/srv",
  ExposedPorts: { "8080/tcp": {} },
  Labels: { "org.opencontainers.image.title": "Berth demo" },
};

/**
 * Builds the image and imports it, unless that was done before.
 *
 * @param folder the agent's store of images
 * @returns whether containers can be created from it: false if this machine cannot isolate them
 */
export async function importDemoImage(folder: string): Promise<boolean> {
  if (missingPrerequisite() !== null || which("perl") === null) return false;
  const store = new ImageStore(folder);
  await store.open();
  const reference = parseImageReference(DEMO_IMAGE);
  const known = await store.imported(reference);
  if (known !== null && (await store.read(known)) !== null) return true;
  const work = await store.workFolder();
  try {
    const root = join(work, "root");
    await makeRoot(root);
    const layout = join(work, "layout");
    await packLayout(root, CONFIG, layout, ["--owner=0", "--group=0", "--mode=go-w"]);
    await importImage(layout, reference, store);
    return true;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function makeRoot(root: string): Promise<void> {
  for (const name of ["bin", "lib", "lib64"]) {
    await mkdir(join(root, "usr", name), { recursive: true });
    await symlink(`usr/${name}`, join(root, name));
  }
  for (const name of ["etc", "root", "srv"]) await mkdir(join(root, name));
  for (const program of PROGRAMS) {
    const path = which(program);
    if (path === null) continue;
    const libraries = (await run(["ldd", path])).match(/\/\S+/g) ?? [];
    await run(["cp", "--dereference", "--parents", ...libraries, root]);
    await run(["cp", "--dereference", path, join(root, "usr/bin", program)]);
  }
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
  await copyFile(join(import.meta.dir, "demo-web-server.pl"), join(root, "srv/server.pl"));
}
