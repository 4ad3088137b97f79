import { describe, expect, test } from "bun:test";
import { layOut } from "../../../../actors/activity/mail/layout.ts";
import { failureOf, retryAfterMs } from "../../../../actors/activity/mail/rules.ts";
import { recoveryText, timeText } from "../../../../actors/activity/mail/texts.ts";

const START = new Date("2026-01-01T00:00:00Z");
const after = (ms: number) => new Date(START.getTime() + ms);
const TIMES = { firstRetryMs: 1_000, giveUpMs: 24 * 60 * 60 * 1_000 };
const HOUR_MS = 60 * 60 * 1_000;

describe("the wait after a failed attempt", () => {
  const wait = (attempts: number, atMs: number) =>
    retryAfterMs({ kind: "recovery", attempts, firstAttemptAt: START }, after(atMs), TIMES);

  test("doubles with each", () => {
    expect([1, 2, 3, 4].map((attempts) => wait(attempts, 0))).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test("ends for a link when whoever asked for it no longer waits", () => {
    expect(wait(1, HOUR_MS - 1_000)).toBe(1_000);
    expect(wait(1, HOUR_MS)).toBeUndefined();
  });
});

describe("what the mail server says", () => {
  test("is final only about a recipient", () => {
    expect(failureOf({ responseCode: 550, command: "RCPT TO" })).toEqual({
      reason: "the mail server answered 550 after RCPT TO",
      isFinal: true,
    });
    for (const error of [
      { responseCode: 450, command: "RCPT TO" },
      { responseCode: 550, command: "MAIL FROM" },
      { responseCode: 535, command: "AUTH PLAIN" },
      { code: "ECONNREFUSED", command: "CONN" },
      new Error("anything"),
      undefined,
    ])
      expect(failureOf(error).isFinal).toBe(false);
  });

  test("is named without its text, which may repeat what it was told", () => {
    const { reason } = failureOf({ responseCode: 535, command: "AUTH PLAIN", response: "bad c2VjcmV0" });
    expect(reason).toBe("the mail server answered 535 after AUTH PLAIN");
  });
});

describe("a mail", () => {
  const content = {
    subject: 'A <b> & "c"',
    paragraphs: ["<script>alert(1)</script>"],
    action: { label: "Open", url: "https://berth.example/?a=1&b=<2>" },
    footer: ["See https://berth.example/account."],
  };

  test("says the same as text and as HTML, in which nothing is markup that was no markup", () => {
    const { text, html } = layOut(content);
    expect(text).toBe(
      "<script>alert(1)</script>\n\nOpen:\nhttps://berth.example/?a=1&b=<2>\n\n-- \nSee https://berth.example/account.\n",
    );
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain('href="https://berth.example/?a=1&amp;b=&lt;2&gt;"');
    expect(html).toContain(
      '<a href="https://berth.example/account" style="color:inherit">https://berth.example/account</a>.',
    );
    expect(html).not.toMatch(/<script|<b>/);
  });

  test("names times so that they are the same for every reader", () => {
    expect(timeText(new Date("2026-11-26T09:05:59Z"))).toBe("26 November 2026, 09:05 UTC");
  });

  test("with a link says for whom it is, how long it is good, and what to do if it was not wanted", () => {
    const reader = { username: "ada", publicUrl: "https://berth.example" };
    const { text } = layOut(recoveryText(reader, "token", START));
    for (const part of [
      "ada",
      "until 1 January 2026, 00:00 UTC",
      "Was it not you?",
      "https://berth.example/recover/token",
    ])
      expect(text).toContain(part);
  });
});
