import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ImageStore } from "../../../../agents/containers/images/store.ts";
import { run } from "../../../../agents/exec/command.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { lacks } from "../../requirements.ts";
import { digestOf, layerOf, rawLayer } from "./sample-images.ts";

const LIMITS = { bytes: 1_000_000, files: 50 };
type Entries = Parameters<typeof rawLayer>[0];

describe.skipIf(lacks("root", "setpriv"))("a layer", () => {
  /** Beside the store lies what a hostile layer would like to change. */
  async function unpacked(archive: Buffer, sent = gzipSync(archive)) {
    const around = temporaryFolder();
    const outside = join(around, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "untouched");
    const folder = join(around, "store");
    const store = new ImageStore(folder);
    await store.prepare();
    const blob = join(around, "blob");
    writeFileSync(blob, sent);
    const diffId = digestOf(archive);
    const error = await store.addLayer(blob, diffId, LIMITS).then(
      () => null,
      (failure: Error) => failure.message,
    );
    expect(readdirSync(outside)).toEqual(["file"]);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("untouched");
    expect(readdirSync(join(folder, "unfinished"))).toEqual([]);
    if (error !== null) expect(readdirSync(join(folder, "layers"))).toEqual([]);
    return { error, root: store.layerFolder(diffId) };
  }

  const link = (path: string, target: string): Entries[number] => ({ path, type: "symbolic link", target });
  const HOSTILE: readonly (readonly [string, Entries, string])[] = [
    ["a name that leads out", [{ path: "a/../../../outside/new", text: "x" }], "leads out of it"],
    ["a whiteout that leads out", [{ path: ".wh..." }, { path: ".wh..", text: "" }], "leads out of it"],
    [
      "a hard link that leads out",
      [{ path: "hard", type: "hard link", target: "../../outside/file" }],
      "leads out of it",
    ],
    [
      "a hard link to what it has not",
      [{ path: "hard", type: "hard link", target: "/etc/shadow" }],
      "which is not before it",
    ],
    [
      "a way through a link of its own",
      [link("way", "../../../outside"), { path: "way/file", text: "changed" }],
      "tar: ",
    ],
    ["an opaque folder behind a link", [link("way", "/"), { path: "way/etc/.wh..wh..opq" }], "tar: "],
    [
      "a hard link through a link",
      [link("way", "../../../outside/file"), { path: "hard", type: "hard link", target: "way/file" }],
      "which is not before it",
    ],
    ["a device", [{ path: "disk", type: "device" }], 'it has the device node "disk"'],
    ["too many files", Array.from({ length: 51 }, (_, at) => ({ path: `f${at}` })), "more than 50 files"],
    [
      "too much",
      [
        { path: "a", text: "x".repeat(600_000) },
        { path: "b", text: "x".repeat(600_000) },
      ],
      "more than 976.5 KiB",
    ],
    ["an owner that nobody can be", [{ path: "a", uid: 0xffff_ffff }], "the owner of"],
  ];
  test.each(HOSTILE)("with %s is refused, and nothing is left of it", async (_name, entries, reason) => {
    expect((await unpacked(rawLayer(entries))).error).toContain(reason);
  });

  test("that is cut off, damaged, no archive or another one than the image says is refused", async () => {
    const archive = await layerOf({ file: "x".repeat(50_000), other: "y" });
    const pressed = gzipSync(archive);
    const damaged = Buffer.from(archive);
    damaged[3] = 0xff;
    for (const sent of [
      pressed.subarray(0, pressed.length - 20),
      archive.subarray(0, 20_000),
      damaged,
      Buffer.from("no"),
      Buffer.from([0x1f, 0x8b, 8, 0, 0]),
    ])
      expect((await unpacked(archive, Buffer.from(sent))).error).toStartWith(
        "a layer of it cannot be unpacked",
      );
    const other = await layerOf({ other: "y" });
    expect((await unpacked(archive, gzipSync(other))).error).toBe(
      "a layer of it has other files than its config says",
    );
  });

  test("that unpacks to a thousand times its size is given up before it fills the disk", async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const archive = rawLayer([{ path: "zeros", text: "\0".repeat(900_000) }]);
    const { error } = await unpacked(archive, zeros);
    // Nothing but empty blocks: an archive without entries, and not this one.
    expect(error).toBe("a layer of it has other files than its config says");
  });

  test("of names in any bytes, links, owners, modes and capabilities is unpacked as it is; absolute names stay within", async () => {
    const capability = Buffer.from("0100000200040000000000000000000000000000", "hex");
    const long = "n".repeat(200);
    const { error, root } = await unpacked(
      rawLayer([
        { path: "/etc/", type: "folder", mode: 0o750, uid: 5, gid: 6 },
        { path: "./etc/passwd", text: "root", mode: 0o4755, uid: 3_000_000_000 },
        { path: "etc/hard", type: "hard link", target: "/etc/passwd" },
        link("etc/out", "/../../outside/file"),
        { path: `deep/${long}/${long}`, text: "deep" },
        { path: "caf\xe9", text: "not UTF-8" },
        {
          path: "ping",
          text: "#!",
          attributes: new Map([
            ["security.capability", capability],
            ["trusted.overlay.redirect", Buffer.from("/etc")],
          ]),
        },
        { path: "dev/null", type: "device" },
        { path: "pipe", type: "fifo" },
      ]),
    );
    expect(error).toBeNull();
    expect(lstatSync(join(root, "etc"))).toMatchObject({ mode: 0o40750, uid: 5, gid: 6 });
    expect(lstatSync(join(root, "etc/passwd"))).toMatchObject({
      mode: 0o104755,
      uid: 3_000_000_000,
      nlink: 2,
    });
    expect(lstatSync(join(root, "etc/out")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "deep", long, long), "utf8")).toBe("deep");
    expect(
      readdirSync(root, { encoding: "buffer" }).some((name) => name.equals(Buffer.from("caf\xe9", "latin1"))),
    ).toBe(true);
    expect(existsSync(join(root, "dev/null"))).toBe(false);
    const packed = await run([
      "tar",
      "--create",
      "--xattrs",
      "--xattrs-include=*",
      `--directory=${root}`,
      "ping",
    ]);
    expect(packed).toContain("SCHILY.xattr.security.capability");
    expect(packed).not.toContain("trusted.overlay");
  });
});
