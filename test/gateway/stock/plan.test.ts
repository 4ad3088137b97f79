import { describe, expect, test } from "bun:test";
import type { StockRow } from "../../../actors/market/server/queries.ts";
import { COLUMNS } from "../../../gateway/stock/columns.ts";
import { parseStock } from "../../../gateway/stock/parse.ts";
import { planImport } from "../../../gateway/stock/plan.ts";
import { writeStock } from "../../../gateway/stock/write.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { ServerSpecs } from "../../../schemas/market/server.ts";

const server = (fields: Partial<StockRow> = {}): StockRow => ({
  id: "a".repeat(24),
  revision: "0".repeat(16),
  name: "rack-1",
  kind: "dedicated",
  parent_id: null,
  status: "in_stock",
  specs: {
    country: "DE",
    city: "Nürnberg",
    region: "=HYPERLINK(1)",
    cpu_scores: { passmark: 12 },
    ram_gb: 0.5,
    disks: [
      { type: "nvme", size_gb: 960 },
      { type: "hdd", size_gb: 4_000 },
    ],
    traffic_tb: null,
    featured: true,
  },
  host: "node-1",
  host_draining: false,
  prices: { "7": 700, "30": 2_550 },
  setup_fee_cents: 5,
  rental_id: null,
  renter: null,
  host_joined_at: null,
  delivered_by_hand: false,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  ...fields,
});
const NEW_ID = "f".repeat(24);
const bytes = (text: string) => new TextEncoder().encode(text);
const plan = (text: string, stock = [server()]) => planImport(parseStock(bytes(text)), stock, () => NEW_ID);
const problems = (text: string, stock?: StockRow[]) => plan(text, stock).problems;

/** The errors of a file that cannot be read. */
function errorsOf(content: string | Uint8Array): unknown {
  try {
    parseStock(typeof content === "string" ? bytes(content) : content);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, ...error.data };
    throw error;
  }
  throw new Error("it was read");
}

test("every specification has a column", () => {
  const specs = Object.keys(ServerSpecs.properties);
  const columns = new Set(COLUMNS.map(({ path }) => path[1]));
  expect(specs.filter((name) => name !== "cpu_scores" && !columns.has(name))).toEqual([]);
});

test("what was exported changes nothing when it is imported", () => {
  const stock = [server(), server({ id: "b".repeat(24), name: "rack-2", specs: {}, prices: {} })];
  const { steps, unchanged, problems, stale } = plan(writeStock(stock), stock);
  expect({ steps, unchanged, problems, stale }).toEqual({ steps: [], unchanged: 2, problems: [], stale: [] });
});

test("no text of an export is a formula, and an import reads the text as it was", () => {
  const names = ["=1+1", "+1", "-1", "@cmd", "\t=1"];
  const stock = names.map((region, i) =>
    server({ id: String(i).repeat(24), name: `n${i}`, specs: { region } }),
  );
  const file = writeStock(stock);
  for (const cell of file.split(/[\r\n,]+/)) expect(cell.replace(/^\uFEFF?"?/, "")).not.toMatch(/^[=+\-@\t]/);
  const { problems, changes } = plan(file, stock.slice(0, 4).concat(stock.slice(4)));
  expect(problems.filter(({ line }) => line < 6)).toEqual([]);
  expect(changes).toEqual([]);
});

test("only what a cell changes is changed, and only in the columns that the file has", () => {
  const { steps, changes } = plan(
    `id,revision,price_30,price_90,city\n${"a".repeat(24)},${"0".repeat(16)},30,99.9,`,
  );
  const { city: _, ...specs } = server().specs;
  expect(steps).toEqual([
    {
      server_id: "a".repeat(24),
      revision: "0".repeat(16),
      add: null,
      change: { specs, prices: { "7": 700, "30": 3_000, "90": 9_990 } },
    },
  ]);
  expect(changes[0]?.cells).toEqual([
    { column: "price_30", before: "25.50", after: "30.00" },
    { column: "price_90", before: null, after: "99.90" },
    { column: "city", before: "Nürnberg", after: null },
  ]);
});

test("a line without id adds a server; a file of a spreadsheet with semicolons is read", () => {
  const { steps, changes } = plan(
    'name;cpu_cores;disks;featured;price_7;setup_fee\r\n"rack-9";8;nvme:960;TRUE;7;\r\n\r\n',
  );
  expect(steps[0]).toMatchObject({
    server_id: NEW_ID,
    add: {
      name: "rack-9",
      kind: "dedicated",
      specs: { cpu_cores: 8, disks: [{ type: "nvme", size_gb: 960 }], featured: true },
      prices: { "7": 700 },
      setup_fee_cents: 0,
    },
  });
  expect(changes).toMatchObject([{ line: 2, id: null, name: "rack-9", action: "add" }]);
});

describe("an error names line and column", () => {
  const row = `${"a".repeat(24)},${"0".repeat(16)}`;
  test.each([
    ["price_7", "cheap", "must be USD such as 25 or 25.50"],
    ["price_7", "-1", "must be USD such as 25 or 25.50"],
    ["cpu_cores", "8.5", "must be an integer, 1 to 4096"],
    ["cpu_cores", "many", "must be a number such as 8 or 0.5"],
    ["country", "Germany", "must have this form: ISO 3166-1 code"],
    ["ram_type", "ddr9", "must be one of ddr3, ddr4, ddr5"],
    ["disks", "960", "must be disks with their GB, such as `nvme:960 hdd:4000`"],
    ["disks", "tape:960", "must be one of hdd, ssd, nvme"],
    ["featured", "yes", "must be true or false"],
    ["price_9999", "1", "nothing is rented for more than 3650 days"],
    ["name", "rack-2", "cannot be changed: it is rack-1"],
    ["kind", "shared", "cannot be changed: it is dedicated"],
  ])("%s: %s", (column, cell, message) => {
    expect(problems(`id,revision,${column}\n\n${row},${cell}`)).toEqual([{ line: 3, column, message }]);
  });

  test("several at once, in the order of the file", () => {
    const text = `id,revision,name,cpu_cores\n${"c".repeat(24)},,x,1\n,,rack-1,0\n,,new,x\n,,new,1`;
    expect(problems(text).map(({ line, column }) => [line, column])).toEqual([
      [2, "id"],
      [3, "cpu_cores"],
      [3, "name"],
      [4, "cpu_cores"],
      [5, "name"],
    ]);
  });

  test("a server that was changed meanwhile, or has no revision", () => {
    const { stale, steps } = plan(`id,revision,price_7\n${"a".repeat(24)},${"1".repeat(16)},9`);
    expect([stale.length, stale[0]?.line, steps.length]).toEqual([1, 2, 0]);
    expect(problems(`id,price_7\n${"a".repeat(24)},9`)[0]?.column).toBe("revision");
  });

  test("a subserver needs a shared server", () => {
    const text = `name,parent_id,kind\nsub,${"a".repeat(24)},shared`;
    expect(problems(text).map(({ column }) => column)).toEqual(["parent_id", "kind"]);
  });
});

test.each([
  ["nothing", ""],
  ["an unknown column", "id,prise_7\n"],
  ["a column twice", "id,name,name\n"],
  ["a short line", "id,name\nx\n"],
  ["an open quote", 'id,name\n"x,y\n'],
  ["too many lines", `name\n${"x\n".repeat(2_001)}`],
  ["a line without end", `name\n${"x".repeat(70_000)}`],
])("a file with %s is refused with a line", (_, text) => {
  expect(errorsOf(text)).toMatchObject({
    code: "INVALID_CSV",
    errors: [{ line: expect.any(Number), message: expect.any(String) }],
  });
});

test("what is no text is refused", () => {
  expect(errorsOf(new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe]))).toMatchObject({
    errors: [{ message: "the file must be text in UTF-8" }],
  });
});
