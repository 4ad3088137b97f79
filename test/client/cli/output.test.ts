import { expect, test } from "bun:test";
import { Cli } from "../../../client/cli/cli.ts";
import { inWordsOf } from "../../../client/cli/field-names.ts";
import { bytes, clock } from "../../../client/cli/output/format.ts";
import { showLive } from "../../../client/cli/output/live.ts";
import { table } from "../../../client/cli/output/table.ts";

const rows = [
  ["1", "shop", "a long description of the shop"],
  ["2", "日本語", "short"],
];

test("columns are aligned by what they take on the screen", () => {
  expect(table(["ID", "NAME", "TEXT"], rows).split("\n").slice(1, 3)).toEqual([
    "1   shop    a long description of the shop",
    "2   日本語  short",
  ]);
});

test("a table fits the terminal: its widest column is cut", () => {
  const lines = table(["ID", "NAME", "TEXT"], rows, 24).trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(24);
  expect(lines[1]).toContain("shop");
  expect(lines[1]).toEndWith("…");
});

test("in a narrow terminal ids go that names stand for, and times lose their seconds; neither is cut", () => {
  const [first, second] = ["a".repeat(24), "b".repeat(24)];
  const titles = ["ID", "NAME", "CREATED"];
  const created = "2026-01-31 09:30:15Z";
  const named = [
    [first, "shop", created],
    [second, "blog", created],
  ];
  expect(table(titles, named, 60)).toContain(first);
  expect(table(titles, named, 40).split("\n")[1]).toBe(`shop  ${created}`);
  expect(table(titles, named, 24).split("\n")[1]).toBe("shop  2026-01-31 09:30Z");
  const twins = named.map(([id = "", , at = ""]) => [id, "one and the same long name", at]);
  expect(table(titles, twins, 55).split("\n")[1]).toBe(`${first}  one and t…  2026-01-31 09:30Z`);
});

test("somebody else's text cannot steer the terminal", () => {
  expect(table(["NAME"], [["\u001b[2Jgone\u202e\n"]])).toBe("NAME\n [2Jgone\n");
});

test("sizes and times are short", () => {
  expect([bytes(0), bytes(1_536), bytes(null)]).toEqual(["0 B", "1.5 KiB", ""]);
  expect([clock(65), clock(7_209)]).toEqual(["1:05", "2:00:09"]);
});

test("a live table is drawn in the same place, no higher than the window, until Ctrl-C", async () => {
  const stop = new AbortController();
  let written = "";
  const io = {
    env: {},
    out: (text: string | Uint8Array) => {
      written += text;
    },
    err: () => {},
    input: () => new ReadableStream<Uint8Array>(),
    isInteractive: true,
    columns: 20,
    interrupted: stop.signal,
    terminal: {
      size: () => ({ cols: 20, rows: 4 }),
      setRaw: () => {},
      onResize: () => () => {},
      onInput: () => () => {},
    },
  };
  const readings = [["a"], ["b", "c", "d", "e"], ["f"]];
  await showLive(new Cli(io, () => ({})), {
    read: async () => {
      const next = readings.shift() ?? [];
      if (readings.length === 0) stop.abort();
      return { rows: next };
    },
    columns: { NAME: (name: string) => name },
    empty: "none",
    everyMs: 1,
  });
  expect(written).toBe("\u001b[JNAME\na\n\u001b[2A\r\u001b[JNAME\nb\n… 3 more\n");
});

test("a refusal names the option or the argument, and a field of a file as it stands there", () => {
  const option = (long: string) => ({ long });
  const command = {
    options: ["--memory", "--env", "--port", "--server"].map(option),
    registeredArguments: [{ name: () => "name" }],
  } as never;
  const said = (field: string) => inWordsOf(command, `${field}: must be so`);
  expect(
    [
      "body.resources.memory_bytes",
      "body.env.0.name",
      "body.name",
      "body.server_id",
      "body.destination_port",
    ].map(said),
  ).toEqual(["--memory", "--env", "<name>", "--server", "--port"].map((word) => `${word}: must be so`));
  expect(said("body.pricing_rules.30")).toBe("pricing_rules.30: must be so");
  expect(inWordsOf(command, "The server is away: try again")).toBe("The server is away: try again");
});
