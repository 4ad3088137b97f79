import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { imageType } from "../../../../agents/notifier/icons/image.ts";
import { ICON_BYTES_MAX } from "../../../../agents/notifier/limits.ts";
import { sizeText } from "../../../../system/size-text.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { PREFIX, startService } from "../service.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>`;
const upload = (bytes: string | Uint8Array, type = "image/svg+xml") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1);

describe("a client's copy is current", () => {
  const createdAt = Date.parse("2026-01-31T09:30:00.700Z");
  const LATER = "Sat, 31 Jan 2026 09:30:01 GMT";
  const SAME = "Sat, 31 Jan 2026 09:30:00 GMT";
  const EARLIER = "Sat, 31 Jan 2026 09:29:59 GMT";

  test.each<[string, Record<string, string>, number]>([
    ["nothing is said of it", {}, 200],
    ["its tag is the icon's", { "if-none-match": "TAG" }, 304],
    ["its tag is among others", { "if-none-match": '"a,b", W/"c" , TAG' }, 304],
    ["its tag is weak", { "if-none-match": "W/TAG" }, 304],
    ["any will do", { "if-none-match": "*" }, 304],
    ["its tag is another", { "if-none-match": '"other"' }, 200],
    ["its tag is not quoted", { "if-none-match": "BARE" }, 200],
    ["its date is the icon's", { "if-modified-since": SAME }, 304],
    ["its date is later", { "if-modified-since": LATER }, 304],
    ["its date is earlier", { "if-modified-since": EARLIER }, 200],
    ["its date is in the form of RFC 850", { "if-modified-since": "Saturday, 31-Jan-26 09:30:00 GMT" }, 304],
    ["its date is in the form of asctime", { "if-modified-since": "Sat Jan 31 09:30:00 2026" }, 304],
    ["its date is none", { "if-modified-since": "2027-01-01" }, 200],
    ["its tag is another, whatever its date", { "if-none-match": '"x"', "if-modified-since": LATER }, 200],
    ["its tag is right, whatever its date", { "if-none-match": "TAG", "if-modified-since": EARLIER }, 304],
  ])("when %s", async (_, headers, status) => {
    await using service = startService({ clock: () => createdAt });
    const { icon_id } = await service.notify({ icon: upload(PNG, "image/png") });
    const tag = (await service.call(`icons/${icon_id}`)).headers.get("etag") ?? "";
    const asked = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.replace("TAG", tag).replace("BARE", tag.slice(1, -1)),
      ]),
    );
    const response = await service.call(`icons/${icon_id}`, { headers: asked });
    expect(response.status).toBe(status);
    expect(response.headers.get("etag")).toBe(tag);
    expect(response.headers.get("last-modified")).toBe(SAME);
    expect(response.headers.get("cache-control")).toBe("private, max-age=86400, immutable");
    expect((await response.bytes()).length).toBe(status === 200 ? PNG.length : 0);
  });
});

test("an icon's id is made of the session, the notification, the time and the extension", async () => {
  await using service = startService({ clock: () => 1_700_000_000_123 });
  const one = await service.notify({ icon: upload(JPEG, "image/jpeg") });
  const other = await service.notify({ icon: upload(SVG) });
  expect(one.icon_id).toMatch(new RegExp(`^[0-9a-f]{16}_${one.id}_1700000000123\\.jpg$`));
  expect(other.icon_id?.slice(0, 17)).toBe(one.icon_id?.slice(0, 17) ?? "");
  expect(other.icon_id).toEndWith(".svg");
  expect((await service.call(`icons/${one.icon_id}`)).headers.get("content-type")).toBe("image/jpeg");
});

test("an SVG may run and fetch nothing where it is opened", async () => {
  await using service = startService();
  const { icon_id } = await service.notify({ icon: upload(SVG) });
  const { headers } = await service.call(`icons/${icon_id}`);
  expect(headers.get("content-type")).toBe("image/svg+xml");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  );
});

test("HEAD of an icon is its header", async () => {
  await using service = startService();
  const { icon_id } = await service.notify({ icon: upload(PNG, "image/png") });
  const response = await service.call(`icons/${icon_id}`, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect((await response.bytes()).length).toBe(0);
});

test.each(["nothing", "0_0_0.png", "..%2f..%2fetc%2fpasswd", "%00", "%", "a/b.png", ""])(
  "icon %j is not there",
  async (id) => {
    await using service = startService();
    // With curl, since fetch would go the path itself.
    const argv = [
      "curl",
      "-s",
      "--path-as-is",
      "-w",
      "%{http_code}",
      `${service.origin}${PREFIX}icons/${id}`,
    ];
    const stdout = await new Response(Bun.spawn(argv).stdout).text();
    const details = "there is no icon with this id";
    expect(stdout).toBe(`${JSON.stringify({ success: false, error: "ICON_NOT_FOUND", details })}404`);
  },
);

describe("an icon is refused, and no notice shown", () => {
  const folder = temporaryFolder();
  const big = new Uint8Array(ICON_BYTES_MAX + 1);
  big.set(PNG);

  test.each<[string, string, string]>([
    ["one that is no image", upload("hello", "image/png"), "is no PNG, JPEG or SVG"],
    ["a type that its bytes are not", upload(PNG, "image/jpeg"), "says image/jpeg and is image/png"],
    ["a type that notices do not have", upload("GIF89a", "image/gif"), "is no PNG, JPEG or SVG"],
    ["one that is too large", upload(big, "image/png"), `an icon has at most ${sizeText(ICON_BYTES_MAX)}`],
    ["an SVG with entities", upload(`<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`), "is no PNG, JPEG or SVG"],
    ["a data URL that is not base64", "data:image/svg+xml,<svg/>", "must be data:<type>;base64,<data>"],
    ["a data URL of broken base64", "data:image/png;base64,iVBOR", "must be data:<type>;base64,<data>"],
    ["a file that is not there", "/no/such/file", "is no file that can be read"],
    ["a folder", "/etc", "is no file that can be read"],
    ["a device without end", "/dev/zero", "is no file that can be read"],
    ["a file that is no image", "/etc/passwd", "is no PNG, JPEG or SVG"],
    ["a relative path", "../icon.png", "must be an absolute path, the name of an icon, or a data URL"],
    ["an option", "--help", "must be an absolute path, the name of an icon, or a data URL"],
    ["an address", "https://a.example/i.png", "must be an absolute path, the name of an icon, or a data URL"],
    ["a shell's text", "$(touch x)", "must be an absolute path, the name of an icon, or a data URL"],
    ["a path with a shell's text", `/$(touch ${folder}/x)`, "is no file that can be read"],
  ])("for %s", async (_, icon, details) => {
    await using service = startService();
    const response = await service.call("notify", { json: { display: "1", title: "t", body: "", icon } });
    const error = "VALIDATION_ERROR";
    expect(await response.json()).toEqual({ success: false, error, details: `body.icon: ${details}` });
    expect(response.status).toBe(400);
    expect((await service.history("1")).notifications).toEqual([]);
    expect(await Bun.file(join(folder, "x")).exists()).toBe(false);
  });
});

test("the desktop's icons are found by their name, in its own folder first", async () => {
  const home = temporaryFolder();
  await Bun.write(join(home, ".local/share/icons/hicolor/48x48/apps/berth-test.png"), PNG);
  const { hostSpawner } = await import("../../../../agents/notifier/desktop/spawner.ts");
  const { loadIcon } = await import("../../../../agents/notifier/icons/source.ts");
  const spawner = {
    spawn: (request: Parameters<typeof hostSpawner.spawn>[0]) =>
      hostSpawner.spawn({ ...request, env: { HOME: home } }),
  };
  const icon = await loadIcon("berth-test", spawner, { signal: AbortSignal.timeout(30_000) });
  expect(icon).toEqual({ shown: "berth-test", image: { type: "image/png", bytes: PNG } });
});

test("the same upload is one file on the desktop's machine, and old ones go", async () => {
  const home = temporaryFolder();
  const { hostSpawner } = await import("../../../../agents/notifier/desktop/spawner.ts");
  const { loadIcon } = await import("../../../../agents/notifier/icons/source.ts");
  const spawner = {
    spawn: (request: Parameters<typeof hostSpawner.spawn>[0]) =>
      hostSpawner.spawn({ ...request, env: { XDG_RUNTIME_DIR: home } }),
  };
  const load = (text: string) => loadIcon(upload(text), spawner, { signal: AbortSignal.timeout(30_000) });
  const first = await load("<svg/>");
  expect((await load("<svg/>")).shown).toBe(first.shown);
  for (let at = 0; at < 40; at++) await load(`<svg id="${at}"/>`);
  const kept = [...new Bun.Glob("*/*").scanSync({ cwd: home, dot: true })];
  expect(kept.length).toBe(32);
});

test.each<[string, string | null]>([
  ["<svg/>", "image/svg+xml"],
  ['\uFEFF<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg >', "image/svg+xml"],
  ["<html><svg/></html>", null],
  ["<svgx/>", null],
  [`<!--${"-".repeat(10_000)}<svg/>`, null],
  ["", null],
])("%j is of type %p", (text, type) => {
  expect(imageType(Buffer.from(text))).toBe(type as never);
});
