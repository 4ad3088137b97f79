import { describe, expect, test } from "bun:test";
import { startService } from "../service.ts";

/** What a person is asked whom another site led here. */
async function question(...query: [string, string][]): Promise<string> {
  await using service = startService({ urlArg: true });
  const response = await service.page(new URLSearchParams(query) as never, {
    headers: { accept: "text/html", "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
  });
  expect(response.status).toBe(200);
  expect(service.terminal.sessions.all).toHaveLength(0);
  return response.text();
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the question names everything that would be done", () => {
  test("by a shell of this machine", async () => {
    const html = await question(
      ["terminal_id", "7"],
      ["reset", ""],
      ["readonly", ""],
      ["user", "nobody"],
      ["cwd", "/srv/x"],
      ["cwd_auto_create", ""],
      ["shell", "bash"],
      ["arg", "-c"],
      ["arg", "evil argument"],
      ["env", "PROMPT_COMMAND=evil <value>"],
      ["env_inject", "false"],
      ["startup_script", "/tmp/evil.sh"],
      ["cmd", base64("echo ok; evil")],
      ["desktop_env", "mate"],
      ["display", "9"],
      ["redirect", "display"],
      ["redirect_delay", "3"],
      ["title", "Your bank"],
      ["panel", "https://evil.example/"],
    );
    for (const deed of [
      "terminal 7 opens as user <code>nobody</code>",
      "watched only",
      "what runs in terminal 7 now is ended",
      "it starts in <code>/srv/x</code>, which is made if it is missing",
      "its shell is <code>bash</code>",
      "arguments <code>-c</code> <code>evil argument</code>",
      "<code>PROMPT_COMMAND=evil &lt;value&gt;</code>, <code>DISPLAY=:9</code>",
      "it does not get the service's own variables",
      "the script <code>/tmp/evil.sh</code>",
      "it runs <code>echo ok; evil</code>",
      "it starts a desktop (mate)",
      "then it goes on to display :9 after 3 seconds",
      "its tab is called <code>Your bank</code>",
      "it shows <code>https://evil.example/</code> beside it",
    ]) {
      expect(html).toContain(deed);
    }
  });

  test("by a panel that is a terminal of the same service", async () => {
    const inner = new URLSearchParams({ terminal_id: "9", cmd: base64("echo evil panel") });
    const html = await question(["terminal_id", "7"], ["panel", `/?${inner}`]);
    expect(html).toContain("<li>in the panel:<ul><li>terminal 9 opens</li>");
    expect(html).toContain("it runs <code>echo evil panel</code>");
  });

  test("by SSH, without the secrets", async () => {
    const html = await question(
      ["ssh_host", "h"],
      ["ssh_user", "root@trusted"],
      ["ssh_port", "2222"],
      ["ssh_password", "hunter2"],
      ["socks5_host", "::1"],
      ["socks5_user", "me"],
      ["socks5_pass", "hunter3"],
      ["cmd", base64("evil")],
      ["env", "A=b"],
      ["startup_script", "/tmp/unused.sh"],
    );
    expect(html).toContain(
      "connects by SSH to <code>h:2222</code> as user <code>root@trusted</code>, with a password of the link's" +
        " by the proxy <code>[::1]:1080</code>, where it is user <code>me</code>",
    );
    expect(html).toContain("it runs <code>evil</code>");
    expect(html).toContain("it sets <code>A=b</code>");
    expect(html).not.toContain("hunter");
    expect(html).not.toContain("unused");
  });

  test("to a process that runs", async () => {
    const html = await question(["terminal_id", "7"], ["pid", "4242"], ["user", "nobody"]);
    expect(html).toContain("process 4242 is moved to terminal 7 as user <code>nobody</code>");
    expect(html).toContain("what runs in terminal 7 now is ended");
  });
});

describe("nothing can be hidden in the question", () => {
  test.each([
    ["what turns the text around", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["controls", "a\r\u001b[8m\u0085b\tc", "a\\u{d}\\u{1b}[8m\\u{85}b\\u{9}c"],
    [
      "signs without a shape",
      "a\u200b\u3164\u034f\u{e0041}\u2800b",
      "a\\u{200b}\\u{3164}\\u{34f}\\u{e0041}\\u{2800}b",
    ],
    ["blanks that are none", "rm\u00a0-rf\u2003/", "rm\\u{a0}-rf\\u{2003}/"],
    ["marks piled upon each other", "e\u0301\u0301\u0301", "e\u0301\u0301\\u{301}"],
  ])("by %s", async (_name, text, written) => {
    expect(await question(["cmd", base64(text)])).toContain(`it runs <code>${written}</code>`);
    expect(await question(["env", `A=${text}`])).toContain(`it sets <code>A=${written}</code>`);
  });

  test("by what is long: it is cut where that is seen, and the rest can be had", async () => {
    const html = await question(["cmd", base64(`echo ok${"\n".repeat(600)}evil`)], ["cwd", "/srv/x"]);
    expect(html).toContain(`${"\n".repeat(493)}</code><details><summary>… and 111 more characters</summary>`);
    expect(html).toContain("\nevil</code></details>");
    const short = await question(["cmd", base64("x".repeat(500))]);
    expect(short).not.toContain("<details>");
  });
});
