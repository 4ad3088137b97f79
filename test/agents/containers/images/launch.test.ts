import { describe, expect, test } from "bun:test";
import {
  exposedPortsOf,
  labelsOf,
  launchOf,
  stopSignalOf,
} from "../../../../agents/containers/images/launch.ts";
import type { ImageConfig } from "../../../../agents/containers/images/manifest.ts";

const configOf = (config: NonNullable<ImageConfig["config"]> | null): ImageConfig => ({
  ...{ architecture: "amd64", os: "linux", config },
  rootfs: { type: "layers", diff_ids: [] },
});

/** As these images say it of themselves: what runs, as whom, where, and what ends it. */
const WELL_KNOWN: readonly (readonly [string, NonNullable<ImageConfig["config"]>, object])[] = [
  [
    "nginx",
    {
      Entrypoint: ["/docker-entrypoint.sh"],
      Cmd: ["nginx", "-g", "daemon off;"],
      StopSignal: "SIGQUIT",
      ExposedPorts: { "80/tcp": {} },
    },
    {
      argv: ["/docker-entrypoint.sh", "nginx", "-g", "daemon off;"],
      user: "",
      folder: "/",
      signal: 3,
      ports: ["80/tcp"],
    },
  ],
  [
    "postgres",
    {
      Entrypoint: ["docker-entrypoint.sh"],
      Cmd: ["postgres"],
      StopSignal: "SIGINT",
      Volumes: { "/var/lib/postgresql/data": {} },
    },
    { argv: ["docker-entrypoint.sh", "postgres"], volumes: ["/var/lib/postgresql/data"], signal: 2 },
  ],
  [
    "httpd",
    { Cmd: ["httpd-foreground"], StopSignal: "SIGWINCH", WorkingDir: "/usr/local/apache2" },
    { argv: ["httpd-foreground"], folder: "/usr/local/apache2", signal: 28 },
  ],
  [
    "debian",
    { Cmd: ["bash"], Entrypoint: null, Env: ["PATH=/usr/bin:/bin"] },
    { argv: ["bash"], env: ["PATH=/usr/bin:/bin"], signal: null },
  ],
  [
    "grafana",
    { Entrypoint: ["/run.sh"], Cmd: null, User: "472", WorkingDir: "/usr/share/grafana" },
    { argv: ["/run.sh"], user: "472", folder: "/usr/share/grafana" },
  ],
  [
    "distroless",
    { Entrypoint: ["/app"], User: "65532:65532", WorkingDir: "" },
    { argv: ["/app"], user: "65532:65532", folder: "/" },
  ],
  ["systemd's", { Cmd: ["/sbin/init"], StopSignal: "SIGRTMIN+3" }, { argv: ["/sbin/init"], signal: 37 }],
  [
    "one of an old builder",
    {
      Cmd: ["/bin/sh", "-c", "run me"],
      StopSignal: "15",
      ExposedPorts: { "53": {}, "53/udp": {}, "x/tcp": {} },
    },
    { argv: ["/bin/sh", "-c", "run me"], signal: 15, ports: ["53/tcp", "53/udp"] },
  ],
];

describe("an image's config", () => {
  test.each(WELL_KNOWN)("of %s means what it means to Docker", (_name, config, expected) => {
    const image = configOf(config);
    expect({
      ...launchOf(image, { command: [] }),
      signal: stopSignalOf(image),
      ports: exposedPortsOf(image),
    }).toMatchObject(expected);
  });

  test("gives way to a command of one's own, and keeps its entrypoint", () => {
    const image = configOf({ Entrypoint: ["/entry"], Cmd: ["serve"] });
    expect(launchOf(image, { command: ["migrate", "--now"] }).argv).toEqual(["/entry", "migrate", "--now"]);
    expect(launchOf(configOf({ Cmd: ["serve"] }), { command: ["migrate"] }).argv).toEqual(["migrate"]);
  });

  test("gives way to an entry point of one's own with its own arguments, and to variables of the same name", () => {
    const image = configOf({ Entrypoint: ["/entry"], Cmd: ["serve"], Env: ["A=1", "AB=2", "MODE=x"] });
    const entrypoint = ["/run", "-v"];
    expect(launchOf(image, { entrypoint, command: [] }).argv).toEqual(["/run", "-v"]);
    expect(launchOf(image, { entrypoint, command: ["now"] }).argv).toEqual(["/run", "-v", "now"]);
    const env = [
      { name: "A", value: "a=b" },
      { name: "NEW", value: "two\nlines" },
    ];
    expect(launchOf(image, { command: [], env }).env).toEqual(["AB=2", "MODE=x", "A=a=b", "NEW=two\nlines"]);
  });

  test("without a program, or longer than the kernel takes, is refused in words", () => {
    for (const config of [null, {}, { Cmd: [] }, { Entrypoint: [""] }])
      expect(() => launchOf(configOf(config), { command: [] })).toThrow("its image names no program to run");
    const long = "x".repeat(200_000);
    expect(() => launchOf(configOf({ Cmd: ["a"], Env: [`A=${long}`] }), { command: [] })).toThrow(
      "longer than the kernel takes",
    );
  });

  test("has a signal that there is, or none", () => {
    for (const [text, number] of [
      ["term", 15],
      ["SIGKILL", 9],
      ["RTMAX-1", 63],
      ["SIGNONSENSE", null],
      ["0", null],
      ["65", null],
      ["constructor", null],
      ["SIGRTMIN+99", null],
    ] as const)
      expect([text, stopSignalOf(configOf({ StopSignal: text }))]).toEqual([text, number]);
  });

  test("tells no more labels than a report has room for", () => {
    const Labels = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`label-${at}`, "x".repeat(90)]),
    );
    const told = labelsOf(configOf({ Labels }));
    expect(Object.keys(told).length).toBeGreaterThan(10);
    expect(JSON.stringify(told).length).toBeLessThan(2_500);
  });
});
