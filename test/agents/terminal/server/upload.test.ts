import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { machineWith, rawClient, SCRIPT_MS_MAX, startFileService } from "./file-service.ts";

const digestOf = (text: string | Uint8Array) =>
  `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;
const refusal = async (response: Response) => {
  const { code, message } = (await response.json()) as { code: string; message: string };
  return { status: response.status, code, message };
};

const megabytes = crypto.getRandomValues(new Uint8Array(65_536));
const large = new Uint8Array(Buffer.concat(Array.from({ length: 160 }, () => megabytes)));

test("a file goes to where the shell is now, whole, and comes back the same", async () => {
  await using files = await startFileService();
  const name = "größe $(id) 'a'.bin";
  const put = await files.put(name, large, { "repr-digest": digestOf(large) });
  expect([put.status, await put.json()]).toEqual([201, { name, bytes: large.length }]);
  expect(readFileSync(join(files.folder, name)).equals(large)).toBe(true);
  const response = await files.get(name);
  expect(response.headers.get("content-disposition")).toBe(
    "attachment; filename=\"gr__e $(id) 'a'.bin\"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%24%28id%29%20%27a%27.bin",
  );
  expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
  expect(readdirSync(files.folder)).toEqual([name]);
});

test("an empty file, one with a name like an option, and one whose length has zeros before it", async () => {
  await using files = await startFileService();
  expect((await files.put("empty", "")).status).toBe(201);
  expect(statSync(join(files.folder, "empty")).size).toBe(0);
  expect((await files.put("-rf", "x")).status).toBe(201);
  expect(await (await files.get("-rf")).text()).toBe("x");
  const client = rawClient(files.service.origin);
  client.socket.write(
    `PUT ${files.path}?name=zeros HTTP/1.1\r\nHost: ${new URL(files.service.origin).host}\r\nContent-Length: 0005\r\n\r\nhello`,
  );
  await client.answered();
  client.socket.destroy();
  expect(client.answer).toStartWith("HTTP/1.1 201");
  expect(readFileSync(join(files.folder, "zeros"), "utf8")).toBe("hello");
});

test("nothing is written over, beside, or in part", async () => {
  await using files = await startFileService();
  writeFileSync(join(files.folder, "there"), "mine");
  expect(await refusal(await files.put("there", "theirs"))).toMatchObject({
    status: 409,
    code: "FILE_EXISTS",
  });
  expect(readFileSync(join(files.folder, "there"), "utf8")).toBe("mine");
  for (const name of ["", ".", "..", "../up", "a/b", "/etc/x", "a\nb", "x".repeat(256)]) {
    expect({ name, status: (await files.put(name, "x")).status }).toEqual({ name, status: 400 });
  }
  const client = rawClient(files.service.origin);
  client.put(files.path, "part", 1_000_000, "beginning");
  await until(() => readdirSync(files.folder).some((name) => name.startsWith(".berth-upload-")));
  expect(existsSync(join(files.folder, "part"))).toBe(false);
  client.socket.destroy();
  await until(() => readdirSync(files.folder).join() === "there");
});

test("a file that appears under the name meanwhile stays as it is", async () => {
  await using files = await startFileService();
  const client = rawClient(files.service.origin);
  client.put(files.path, "late", 10, "01234");
  await until(() => readdirSync(files.folder).length === 1);
  writeFileSync(join(files.folder, "late"), "mine");
  client.socket.write("56789");
  await client.answered();
  client.socket.destroy();
  expect(client.answer).toContain("FILE_EXISTS");
  expect(readFileSync(join(files.folder, "late"), "utf8")).toBe("mine");
  expect(readdirSync(files.folder)).toEqual(["late"]);
});

test("a digest that is no SHA-256, or not of what arrived, is refused and leaves nothing", async () => {
  await using files = await startFileService();
  for (const field of ["", "x", "sha-512=:AAAA:", "sha-256=:AAAA:", `${digestOf("a")}, ${digestOf("b")}`]) {
    const answer = await refusal(await files.put("f", "abc", { "repr-digest": field }));
    expect({ field, ...answer }).toMatchObject({ field, status: 400, code: "VALIDATION_ERROR" });
    expect(answer.message).toStartWith("header.repr-digest:");
  }
  const other = await refusal(await files.put("f", "abc", { "repr-digest": digestOf("abd") }));
  expect(other).toMatchObject({ status: 400, code: "DIGEST_MISMATCH" });
  expect(other.message).toContain("Nothing of it is left");
  expect(readdirSync(files.folder)).toEqual([]);
});

describe("a machine whose programs mean harm", () => {
  /** What the command line of a program that hangs can be found by. */
  const HANG = "exec sleep 4321.75";
  const hangs = () =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("4321.75"));
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  afterEach(() => until(() => hangs().length === 0));

  const [name, text] = ["f", "abc"];
  test.each([
    ["takes nothing", HANG, 504, "FILE_TIMEOUT", "took nothing of the file for 3 s"],
    ["takes all and says nothing", `cat >/dev/null; ${HANG}`, 504, "FILE_TIMEOUT", "for 3 s"],
    ["closes its output and hangs", `exec >&-; ${HANG}`, 504, "FILE_TIMEOUT", "for 3 s"],
    ["floods its output", "exec yes", 502, "FILE_NOT_STORED", "wrote more than they may"],
    [
      "ends well without a word",
      "exec head -c 3 >/dev/null",
      502,
      "FILE_NOT_STORED",
      "did not say that they have",
    ],
    [
      "has another size",
      "head -c 3 >/dev/null; echo stored 2 -",
      502,
      "FILE_NOT_STORED",
      "the size that was sent",
    ],
    ["says what is no size", "echo stored '' -", 502, "FILE_NOT_STORED", "the size that was sent"],
    [
      "does not give the file its name",
      "head -c 3 >/dev/null; echo stored 3 -; read -r verdict",
      502,
      "FILE_NOT_STORED",
      "may be there under its name",
    ],
    [
      "hangs before the file has its name",
      `head -c 3 >/dev/null; echo stored 3 -; read -r verdict; ${HANG}`,
      504,
      "FILE_TIMEOUT",
      "may be there under its name",
    ],
  ])("and %s brings no 201", async (_, script, status, code, message) => {
    await using files = await startFileService({}, { target: machineWith(script), fileMsMax: SCRIPT_MS_MAX });
    const answer = await refusal(await files.put(name, text));
    expect(answer).toMatchObject({ status, code });
    expect(answer.message).toContain(message);
    expect(readdirSync(files.folder)).toEqual([]);
  });

  test("and stores other bytes of the same length is found out where a digest was sent", async () => {
    const script =
      'head -c 3 >/dev/null; echo "stored 3 $(printf xyz | sha256sum | cut -c -64)"; read -r verdict; echo kept 3';
    await using files = await startFileService({}, { target: machineWith(script) });
    const answer = await refusal(await files.put(name, text, { "repr-digest": digestOf(text) }));
    expect(answer).toMatchObject({ status: 502, code: "FILE_NOT_STORED" });
    expect(answer.message).toContain("another digest");
  });
});

describe("a client", () => {
  test("that sends no more is told so, and nothing of its file is left", async () => {
    await using files = await startFileService({}, { fileMsMax: 500 });
    const client = rawClient(files.service.origin);
    client.put(files.path, "part", 1_000_000, "beginning");
    await client.answered();
    client.socket.destroy();
    expect(client.answer).toStartWith("HTTP/1.1 408");
    expect(client.answer).toContain("Nothing of it is left");
    expect(readdirSync(files.folder)).toEqual([]);
  });

  test("that sends a byte now and then does not go on for ever", async () => {
    await using files = await startFileService({}, { fileMsMax: 400 });
    const client = rawClient(files.service.origin);
    client.put(files.path, "part", 1_000, "");
    const drip = setInterval(() => client.socket.write("x"), 50);
    await client.answered().finally(() => clearInterval(drip));
    client.socket.destroy();
    expect(client.answer).toStartWith("HTTP/1.1 408");
    expect(readdirSync(files.folder)).toEqual([]);
  });
});

test("other sites can neither send nor take", async () => {
  await using files = await startFileService();
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
    expect((await files.put("evil", "x", headers)).status).toBe(403);
    expect((await files.get("/etc/passwd", headers)).status).toBe(403);
  }
  expect(existsSync(join(files.folder, "evil"))).toBe(false);
});

describe.skipIf(lacks("root"))("of another user's session", () => {
  test("files are that user's, and so is what may be read", async () => {
    await using files = await startFileService({ user: "nobody" });
    expect((await files.put("mine", "x")).status).toBe(201);
    expect(statSync(join(files.folder, "mine")).uid).toBe(65534);
    writeFileSync(join(files.folder, "secret"), "x", { mode: 0o600 });
    expect((await files.get("secret")).status).toBe(404);
    expect((await files.get("/etc/shadow")).status).toBe(404);
  });
});
