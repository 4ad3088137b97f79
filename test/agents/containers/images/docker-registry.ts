import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import type { SampleImage } from "./sample-images.ts";

/** A registry as Debian has it, on loopback, with the user `ann` and the password `secret`. */
export async function startDockerRegistry() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "data"));
  const passwords = join(folder, "htpasswd");
  writeFileSync(passwords, `ann:${await Bun.password.hash("secret", { algorithm: "bcrypt", cost: 4 })}\n`);
  const config = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, "data") } },
    http: { addr: "127.0.0.1:0" },
    auth: { htpasswd: { realm: "test", path: passwords } },
  };
  writeFileSync(join(folder, "config.yml"), JSON.stringify(config));
  const child = Bun.spawn(["docker-registry", "serve", join(folder, "config.yml")], {
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  void child.stderr.pipeTo(
    new WritableStream({
      write(piece) {
        said += new TextDecoder().decode(piece);
      },
    }),
  );
  await until(() => /listening on 127\.0\.0\.1:\d+/.test(said));
  const host = /127\.0\.0\.1:\d+/.exec(said.slice(said.indexOf("listening on")))?.[0] ?? "";
  const authorization = `Basic ${Buffer.from("ann:secret").toString("base64")}`;

  async function send(method: string, url: string, body?: Buffer, type = "application/octet-stream") {
    const response = await fetch(new URL(url, `http://${host}`).href, {
      method,
      headers: { authorization, "content-type": type },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    if (![201, 202].includes(response.status))
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response.headers.get("location") ?? "";
  }

  return {
    host,
    authorization,
    /** Makes the tag mean the image. */
    async push(repository: string, tag: string, { blobs, manifest }: SampleImage): Promise<void> {
      for (const [digest, bytes] of blobs) {
        if (digest === manifest.digest) continue;
        const upload = new URL(await send("POST", `/v2/${repository}/blobs/uploads/`), `http://${host}`);
        upload.searchParams.set("digest", digest);
        await send("PUT", upload.href, bytes);
      }
      await send("PUT", `/v2/${repository}/manifests/${tag}`, manifest.bytes, manifest.mediaType);
    },
    async stop(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
}
