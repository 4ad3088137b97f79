import { expect, test } from "bun:test";
import { portOf, targetOf } from "../../../../actors/hosting/alias/target.ts";

test.each([
  [{ program: "http" }, 80],
  [{ program: "https" }, 443],
  [{ program: "ssh" }, 22],
  [{ program: "http:8080" }, 8080],
  [{ program: "http:8080", index: 9090 }, 9090],
  [{ program: "http:8080", index: 9090, port: 3000 }, 3000],
  [{ program: "ssh", port: 2222 }, 2222],
  [{ program: "https:65535" }, 65_535],
])("port goes before index, index before the port in the program: %j", (asked, index) => {
  const target = targetOf(asked);
  expect(target).toEqual({ program: asked.program.replace(/:.*/, ""), index });
  expect(portOf(target)).toBe(index);
});

test.each(["terminal", "pipe", "notifications", "files", "code", "display", "wiki-2"])(
  "%s is a program with instances and a port of its own",
  (program) => {
    expect(targetOf({ program })).toEqual({ program, index: 1 });
    expect(targetOf({ program, index: 7 })).toEqual({ program, index: 7 });
    expect(portOf({ program, index: 7 })).toBeNull();
    expect(() => targetOf({ program, port: 80 })).toThrow("body.port");
    expect(() => targetOf({ program: `${program}:80` })).toThrow("body.program");
  },
);

test.each([
  "",
  "HTTP",
  "Code",
  "-code",
  "code_server",
  `c${"o".repeat(32)}`,
  "http:",
  "http:0",
  "http:65536",
  "http:080",
  "http:80:81",
  "http: 80",
  "http:8e1",
  ":80",
])("%j is no program", (program) => {
  expect(() => targetOf({ program })).toThrow("body.program");
});

test("what is left out stays as it was, as long as it means the same", () => {
  const http = { program: "http", index: 8080 };
  expect(targetOf({}, http)).toEqual(http);
  expect(targetOf({ port: 81 }, http)).toEqual({ program: "http", index: 81 });
  expect(targetOf({ program: "https" }, http)).toEqual({ program: "https", index: 8080 });
  expect(targetOf({ program: "https:444" }, http)).toEqual({ program: "https", index: 444 });
  expect(targetOf({ program: "terminal" }, http)).toEqual({ program: "terminal", index: 1 });
  const terminal = { program: "terminal", index: 3 };
  expect(targetOf({ program: "files" }, terminal)).toEqual({ program: "files", index: 3 });
  expect(targetOf({ program: "http" }, terminal)).toEqual({ program: "http", index: 80 });
  expect(() => targetOf({ port: 80 }, terminal)).toThrow("body.port");
});
