import { expect, test } from "bun:test";
import { containerOf, isReportId, readReport, sortReports } from "../../../../actors/hosting/host/reports.ts";

const id = "a".repeat(24);
const now = new Date("2026-06-01T12:00:00.000Z");
const firewall = { revision: 1, enforced: true, error: null, reported_at: "2026-06-01T11:59:59.000Z" };
const read = (fields: object) => readReport("firewall", id, JSON.stringify({ ...firewall, ...fields }), now);

test("a report is read as it was sent", () => {
  expect(read({})).toEqual({ value: { kind: "firewall", id, report: firewall } });
});

test("a time in the future is the control plane's", () => {
  for (const reported_at of [
    "2026-06-01T12:00:00.001Z",
    "2999-01-01T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
  ])
    expect(read({ reported_at })).toMatchObject({ value: { report: { reported_at: now.toISOString() } } });
});

test("what is no time is no report", () => {
  for (const reported_at of ["", "soon", "2026-13-01T00:00:00.000Z", "9".repeat(100)])
    expect(read({ reported_at })).toEqual({ reason: "of no time" });
});

test("a long error is cut, and stays text that the database can store", () => {
  const received = read({ error: `${"x".repeat(998)}😀${"y".repeat(3_000)}` });
  const error = "value" in received && "error" in received.value.report ? received.value.report.error : null;
  expect(error).toHaveLength(1_000);
  expect(error?.isWellFormed()).toBe(true);
});

test("a revision below zero, or past what a number holds, is none", () => {
  for (const revision of [-1, 1.5, 2 ** 53, 1e300])
    expect(read({ revision })).toEqual({ reason: "not of its form" });
});

test("a key names a container, and an opening besides", () => {
  const opening = `${id}-${"b".repeat(24)}`;
  expect([isReportId("container", id), isReportId("terminal", opening)]).toEqual([true, true]);
  expect([isReportId("container", opening), isReportId("terminal", id), isReportId("firewall", "x")]).toEqual(
    [false, false, false],
  );
  expect([containerOf({ id }), containerOf({ id: opening })]).toEqual([id, id]);
});

test("reports on containers of the host come before all others, and keys that only look like one are told apart", () => {
  const made = "c".repeat(24);
  const texts = new Map(
    [
      `container.${made}`,
      `terminal.${made}-${made}`,
      `firewall.${id}`,
      `terminal.${id}-${made}`,
      "container.x",
    ]
      .concat([`volume.${id}`, `container.${id}.more`, `terminal.${id}`, "container.*", ""])
      .map((key) => [key, `text of ${key}`]),
  );
  const { reports, junk } = sortReports(texts, new Set([id]));
  expect(reports.map(({ kind, id, text }) => [`${kind}.${id}`, text])).toEqual(
    [`firewall.${id}`, `terminal.${id}-${made}`, `container.${made}`, `terminal.${made}-${made}`].map(
      (key) => [key, `text of ${key}`],
    ),
  );
  expect(junk).toEqual(["container.x", `container.${id}.more`, `terminal.${id}`]);
});
