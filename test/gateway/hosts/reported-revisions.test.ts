import { expect, test } from "bun:test";
import { ReportedRevisions } from "../../../gateway/hosts/reported-revisions.ts";

const status = (revision: number, error: string | null = null) => ({
  revision,
  enforced: true,
  error,
  reported_at: "2026-01-31T09:30:00.000Z",
});

/** A record whose revision a test sets, and how often it was read. */
function recordAt(revision: number) {
  const record = { revision, reads: 0 };
  const reports = new ReportedRevisions(revision, revision, async () => {
    record.reads += 1;
    return record.revision;
  });
  return { record, reports };
}
const isSettled = async (waiting: Promise<void>) =>
  Promise.race([waiting.then(() => true), Bun.sleep(100).then(() => false)]);

test("a report that came before the change was answered counts, whatever was made up after it", async () => {
  const { reports } = recordAt(4);
  for (const revision of [5, 0, 3, 900, 4]) reports.add(status(revision));
  expect(await isSettled(reports.waitFor(5, 5_000))).toBe(true);
  expect(reports.newest?.revision).toBe(5);
});

test("a revision that does not exist settles nothing", async () => {
  const { reports } = recordAt(4);
  const waiting = reports.waitFor(5, 2_000);
  for (let n = 0; n < 1_000; n++) reports.add(status(6 + n));
  expect(await isSettled(waiting)).toBe(false);
  await waiting;
  expect([reports.newest, reports.highest]).toEqual([undefined, undefined]);
});

test("a revision that somebody else's change made meanwhile settles an earlier one", async () => {
  const { record, reports } = recordAt(4);
  const waiting = reports.waitFor(5, 5_000);
  record.revision = 8;
  for (const revision of [1_000, 8, 12]) reports.add(status(revision));
  expect(await isSettled(waiting)).toBe(true);
  expect(reports.newest?.revision).toBe(8);
});

test("the record is read a few times, however many revisions are made up", async () => {
  const { record, reports } = recordAt(4);
  const waiting = reports.waitFor(5, 200);
  const forging = setInterval(() => {
    for (let n = 0; n < 100; n++) reports.add(status(1_000 + n));
  }, 1);
  await waiting;
  clearInterval(forging);
  reports.close();
  expect(record.reads).toBeWithin(1, 30);
});

test("a failure settles, and a success after it wins", async () => {
  const { reports } = recordAt(4);
  const waiting = reports.waitFor(5, 5_000);
  reports.add(status(4, "nft: no space"));
  expect(await isSettled(waiting)).toBe(true);
  expect(reports.newest).toMatchObject({ revision: 4, error: "nft: no space" });
  reports.add(status(5));
  expect(reports.newest).toMatchObject({ revision: 5, error: null });
});

test("a failure of a revision from before what the host has settles nothing, and is told when nothing else is", async () => {
  const { reports } = recordAt(4);
  const waiting = reports.waitFor(5, 2_000);
  for (let n = 0; n < 1_000; n++) reports.add(status(n % 4, "made up"));
  expect(await isSettled(waiting)).toBe(false);
  await waiting;
  expect([reports.newest, reports.highest?.revision]).toEqual([undefined, 3]);
});

test("while the record cannot be read, a report of the awaited revision settles anyway", async () => {
  const reports = new ReportedRevisions(4, 4, () => Promise.reject(new Error("away")));
  const waiting = reports.waitFor(5, 5_000);
  reports.add(status(9));
  reports.add(status(5));
  expect(await isSettled(waiting)).toBe(true);
  expect(reports.newest?.revision).toBe(5);
});
