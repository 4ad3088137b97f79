import { expect, test } from "bun:test";
import { programsOf } from "../../../../agents/containers/images/programs.ts";
import { PROGRAMS_MAX } from "../../../../schemas/hosting/program.ts";

const of = (Labels: Record<string, string>, config: object = {}) =>
  programsOf({
    architecture: "amd64",
    os: "linux",
    config: { Labels, ...config },
    rootfs: { type: "layers", diff_ids: [] },
  } as never);

test("labels declare a port, where its address begins, and the command in either of Docker's forms", () => {
  const { declared, user, env } = of(
    {
      "berth.program.code": "8443/app/",
      "berth.program.code.command": '["code-server", "--auth", "none"]',
      "berth.program.wiki": "80",
      "berth.program.wiki.command": "cd /srv && exec wiki",
      "berth.program.idle": "9000/",
      "org.opencontainers.image.title": "sample",
    },
    { User: "dev:staff", Env: ["PATH=/opt/bin", "A=b=c", "not a name=1", "novalue"] },
  );
  expect(declared).toEqual([
    { name: "code", port: 8443, path: "/app/", command: ["code-server", "--auth", "none"] },
    { name: "wiki", port: 80, path: null, command: ["/bin/sh", "-c", "cd /srv && exec wiki"] },
    { name: "idle", port: 9000, path: null, command: null },
  ]);
  expect([user, env]).toEqual(["dev", { PATH: "/opt/bin", A: "b=c" }]);
});

test.each([
  ["berth.program.terminal", "80"],
  ["berth.program.http", "80"],
  ["berth.program.Code", "80"],
  ["berth.program.-x", "80"],
  ["berth.program.x", "0"],
  ["berth.program.x", "65536"],
  ["berth.program.x", "080"],
  ["berth.program.x", "80 "],
  ["berth.program.x", "80/a b"],
  ["berth.program.x", "80\n/a"],
  ["berth.program.x", "/80"],
])("%s=%j declares nothing", (label, target) => {
  expect(of({ [label]: target }).declared).toEqual([]);
});

test.each(["", "  ", "[]", '[""]', '["a", 1]', "[not json", "x".repeat(5_000)])(
  "a program whose command is %j is not declared",
  (command) => {
    expect(of({ "berth.program.x": "80", "berth.program.x.command": command }).declared).toEqual([]);
  },
);

test("an image declares no more programs than a record holds", () => {
  const labels = Object.fromEntries(
    Array.from({ length: PROGRAMS_MAX + 5 }, (_, at) => [`berth.program.p${at}`, "80"]),
  );
  expect(of(labels).declared).toHaveLength(PROGRAMS_MAX);
});
