import { expect, test } from "bun:test";
import {
  actorSubject,
  agentSubject,
  desiredBucket,
  desiredKey,
  EVENT_SUBJECT,
  EVENT_SUBJECTS,
  hostSubject,
  partitionSubject,
  replySubject,
  SERVER_NAME,
  statusBucket,
} from "../../schemas/subjects.ts";

/** Whether a NATS pattern takes a subject. */
function takes(pattern: string, subject: string): boolean {
  const [expected, actual] = [pattern.split("."), subject.split(".")];
  for (const [i, part] of expected.entries()) {
    if (part === ">") return actual.length > i;
    if (actual[i] === undefined || (part !== "*" && part !== actual[i])) return false;
  }
  return expected.length === actual.length;
}

const ID = "0123456789abcdef01234567";

test("an owner hears every message to its partition and epoch, and no other", () => {
  const subject = actorSubject(7, 12, "wallet", ID, "transfer");
  expect(takes(partitionSubject(7, 12), subject)).toBe(true);
  for (const other of [partitionSubject(7, 11), partitionSubject(70, 12), partitionSubject(1, 12)]) {
    expect(takes(other, subject)).toBe(false);
  }
  expect(takes(hostSubject("actors-1"), subject)).toBe(false);
});

test("a caller hears its own answers only", () => {
  expect(takes(replySubject("caller", "*"), replySubject("caller", 5))).toBe(true);
  expect(takes(replySubject("caller", "*"), replySubject("other", 5))).toBe(false);
});

test("the stream of events takes every partition", () => {
  expect(takes(EVENT_SUBJECTS, EVENT_SUBJECT)).toBe(true);
});

test("two servers share no bucket and no subject", () => {
  for (const of of [desiredBucket, statusBucket]) {
    expect(of("node-1")).not.toBe(of("node-10"));
    expect(of("node-1")).toMatch(/^[A-Za-z0-9_-]+$/);
  }
  expect(desiredBucket("a")).not.toBe(statusBucket("a"));
  expect(agentSubject("node-1", "ping")).not.toBe(agentSubject("node-2", "ping"));
  expect(desiredKey("container", ID)).not.toBe(desiredKey("firewall", ID));
});

test("a server's name is one token of a subject, and a DNS label", () => {
  for (const name of ["a", "0", "node-1", "a".repeat(63), "a--b"]) expect(name).toMatch(SERVER_NAME);
  for (const name of ["", "-", "a-", "-a", "A", "a.b", "a b", "*", ">", "a_b", "a\n", "ä", "a".repeat(64)]) {
    expect(name).not.toMatch(SERVER_NAME);
  }
});
