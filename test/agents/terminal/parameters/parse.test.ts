import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { ParameterError, parseRequest } from "../../../../agents/terminal/parameters/parse.ts";
import { PARAMETERS } from "../../../../agents/terminal/parameters/table.ts";

const read = (query: string | Record<string, string>, urlArg = false) =>
  parseRequest(new URLSearchParams(query), { urlArg, origin: "https://terminal.example" });

function refusal(query: string | Record<string, string>): string {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    throw error;
  }
  return "nothing is wrong";
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const pem = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});
const { privateKey: locked } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem", cipher: "aes-256-cbc", passphrase: "open" },
});
const ssh = { ssh_host: "h", ssh_user: "u" };

describe("the defaults are those of the specification", () => {
  test("of a request that says nothing", () => {
    expect(read("")).toEqual({
      terminalId: null,
      reset: false,
      readonly: false,
      redirect: null,
      appearance: { title: null, fontSize: 13, backgroundColor: "#2b2b2b", toolbar: true, panel: null },
      launch: {
        user: null,
        cwd: null,
        createCwd: false,
        shell: null,
        args: [],
        command: null,
        startupScript: null,
        env: {},
        injectServiceEnv: true,
        display: null,
        desktop: null,
        welcome: false,
        debug: false,
        pid: null,
        ssh: null,
      },
    });
  });

  test("of a panel, of SSH and of a proxy", () => {
    expect(read({ panel: "https://a.example/x" }).appearance.panel).toEqual({
      url: "https://a.example/x",
      visible: true,
      position: "right",
      width: "400px",
      height: "300px",
      resizable: true,
    });
    expect(read({ ...ssh, socks5_host: "p" }).launch.ssh).toEqual({
      host: "h",
      port: 22,
      user: "u",
      password: null,
      key: null,
      proxy: { host: "p", port: 1080, user: null, password: null },
      ignored: [],
    });
  });
});

describe("what a parameter says is taken", () => {
  const launch = (query: string | Record<string, string>) => read(query).launch;
  const looks = (query: string | Record<string, string>) => read(query).appearance;

  test.each([
    ["terminal_id=1", () => read("terminal_id=1").terminalId, 1],
    ["terminal_id=65535", () => read("terminal_id=65535").terminalId, 65535],
    ["cwd", () => launch({ cwd: "/srv/a b" }).cwd, "/srv/a b"],
    ["cwd_auto_create, bare", () => launch("cwd=/x&cwd_auto_create").createCwd, true],
    ["shell by name", () => launch("shell=zsh").shell, "zsh"],
    ["shell by path", () => launch("shell=/usr/bin/fish").shell, "/usr/bin/fish"],
    ["user", () => launch("user=www-data").user, "www-data"],
    ["cmd", () => launch({ cmd: base64("echo 'ü' && top") }).command, "echo 'ü' && top"],
    ["cmd, URL-safe and unpadded", () => launch({ cmd: "ZWNobyA_Pz4-" }).command, "echo ??>>"],
    [
      "cmd, with plus signs that became blanks",
      () => launch(`cmd=${base64("echo ~~~>>>~~~>")}`).command,
      "echo ~~~>>>~~~>",
    ],
    ["readonly, bare", () => read("readonly").readonly, true],
    ["readonly=1", () => read("readonly=1").readonly, true],
    ["readonly=true", () => read("readonly=true").readonly, true],
    ["readonly=false", () => read("readonly=false").readonly, false],
    ["title without its tags", () => looks({ title: "<b>My</b> <scr<i>ipt>box" }).title, "My box"],
    ["title of 200 characters", () => looks({ title: "x".repeat(200) }).title?.length, 200],
    [
      "title of 200 characters that are two halves each",
      () => looks({ title: "🦊".repeat(200) }).title,
      "🦊".repeat(200),
    ],
    ["fontSize", () => looks("fontSize=8").fontSize, 8],
    ["fontSize with px", () => looks("fontSize=72px").fontSize, 72],
    ["backgroundColor #RGB", () => looks({ backgroundColor: "#AbC" }).backgroundColor, "#abc"],
    ["backgroundColor #RRGGBBAA", () => looks({ backgroundColor: "#F0000080" }).backgroundColor, "#870f0f"],
    [
      "backgroundColor with all of it",
      () => looks({ backgroundColor: "#010203FF" }).backgroundColor,
      "#010203",
    ],
    [
      "backgroundColor by name",
      () => looks({ backgroundColor: "RebeccaPurple" }).backgroundColor,
      "rebeccapurple",
    ],
    ["panel by a path", () => looks("panel=/docs?a").panel?.url, "https://terminal.example/docs?a"],
    ["panel by a relative path", () => looks("panel=docs/").panel?.url, "https://terminal.example/docs/"],
    [
      "SSH: what means nothing there",
      () => launch({ ...ssh, cwd: "/", shell: "sh", desktop: "", env: "A=1", env_inject: "0" }).ssh?.ignored,
      ["shell", "cwd", "desktop", "env_inject"],
    ],
    ["panel-visible=0", () => looks("panel=http://a/&panel-visible=0").panel?.visible, false],
    ["panel-position", () => looks("panel=http://a/&panel-position=left").panel?.position, "left"],
    ["panel-width in percent", () => looks("panel=http://a/&panel-width=50%25").panel?.width, "50%"],
    ["panel-width as a number", () => looks("panel=http://a/&panel-width=320").panel?.width, "320px"],
    ["panel-height", () => looks("panel=http://a/&panel-height=200px").panel?.height, "200px"],
    ["panel-resizable=false", () => looks("panel=http://a/&panel-resizable=false").panel?.resizable, false],
    ["hide-toolbar", () => looks("hide-toolbar").toolbar, false],
    ["ssh_port", () => launch({ ...ssh, ssh_port: "2222" }).ssh?.port, 2222],
    ["ssh_password", () => launch({ ...ssh, ssh_password: "p w" }).ssh?.password, "p w"],
    ["ssh_key", () => launch({ ...ssh, ssh_key: base64(pem.privateKey) }).ssh?.key, pem.privateKey],
    [
      "ssh_key with a passphrase",
      () => launch({ ...ssh, ssh_key: base64(locked), ssh_password: "open" }).ssh?.key,
      locked,
    ],
    ["ssh_host as IPv6", () => launch({ ...ssh, ssh_host: "[2001:db8::1]" }).ssh?.host, "2001:db8::1"],
    [
      "socks5_*",
      () =>
        launch({ ...ssh, socks5_host: "p", socks5_port: "9", socks5_user: "a", socks5_pass: "b" }).ssh?.proxy,
      { host: "p", port: 9, user: "a", password: "b" },
    ],
    ["desktop", () => launch("desktop&display=1").desktop, "any"],
    ["desktop_env, which implies desktop", () => launch("desktop_env=mate&env=DISPLAY=:1").desktop, "mate"],
    ["display N", () => launch("display=7").env, { DISPLAY: ":7" }],
    ["display :N", () => launch("display=:12").display, 12],
    [
      "redirect",
      () => read("terminal_id=4&display=:7&redirect=display&redirect_delay=3").redirect,
      { display: 7, delaySeconds: 3 },
    ],
    ["arg, repeated", () => read("arg=-c&arg=ls", true).launch.args, ["-c", "ls"]],
    ["welcome", () => launch("welcome").welcome, true],
    ["debug", () => launch("debug=1").debug, true],
    ["reset", () => read("reset=true").reset, true],
    ["pid, which implies reset", () => [launch("pid=42").pid, read("pid=42").reset], [42, true]],
    ["env, repeated", () => launch("env=A=1&env=B=x%3Dy&env=C=").env, { A: "1", B: "x=y", C: "" }],
    ["env_inject=false", () => launch("env_inject=false").injectServiceEnv, false],
    ["startup_script", () => launch("startup_script=/opt/up.sh").startupScript, "/opt/up.sh"],
    ["a name of someone else's", () => read("utm_source=x&foo").terminalId, null],
  ] as const)("%s", (_name, actual, expected) => {
    expect(actual()).toEqual(expected as never);
  });
});

describe("a value that breaks its rule is refused by name", () => {
  test.each([
    ["terminal_id", ["0", "65536", "-1", "1.5", "abc", "", " 1", "0x10", "1e3"]],
    ["cwd", ["", "/a\0b", "/a\nb", "x".repeat(5000)]],
    ["cwd_auto_create", ["yes", "TRUE", "2"]],
    ["shell", ["", "-c", "bash -c ls", "bash;ls", "../bash", "/bin/../../sh x"]],
    ["user", ["", "-root", "a b", "root;id", "x".repeat(40), "a/b"]],
    ["cmd", ["", "%%%", "a", "AAAA", base64("   "), "/w=="]],
    ["readonly", ["yes", "on"]],
    ["title", ["x".repeat(201), "🦊".repeat(201)]],
    ["fontSize", ["7", "73", "13em", "13.5", "", "px", "-13"]],
    ["backgroundColor", ["2b2b2b", "#12", "#1234", "#12345g", "nocolour", "red;}", "", "url(x)"]],
    [
      "panel",
      [
        "",
        "javascript:alert(1)",
        "data:text/html,x",
        "//a.example",
        "/\\a.example",
        "\\\\a.example/",
        "https:a",
        "https://u:p@a/",
        "http://a;sandbox/",
        "http://a,b/",
        "http://*/",
        "http://a'b/",
      ],
    ],
    ["panel-visible", ["maybe"]],
    ["panel-position", ["top", "bottom", "Left", ""]],
    ["panel-width", ["", "0", "101%", "400em", "calc(1px)", "-5px", "1e3px"]],
    ["panel-height", ["auto"]],
    ["panel-resizable", ["no"]],
    ["hide-toolbar", ["no"]],
    ["ssh_host", ["", "-oProxyCommand=x", "a b", "a/b", "user@host", "[::1", "a..b", ":::"]],
    ["ssh_port", ["0", "65536", "ssh", ""]],
    ["ssh_password", ["x".repeat(300)]],
    ["ssh_key", ["", "!!", base64("no key"), base64(pem.publicKey)]],
    ["socks5_host", ["", "a b"]],
    ["socks5_port", ["0", "x"]],
    ["socks5_user", ["x".repeat(256)]],
    ["socks5_pass", ["x".repeat(256)]],
    ["desktop", ["xfce"]],
    ["desktop_env", ["gnome", "XFCE", ""]],
    ["display", ["", ":", "-1", "1.0", ":1.0", "host:1", "60000"]],
    ["redirect", ["true", "", "https://evil.example"]],
    ["redirect_delay", ["-1", "1.5", "301", ""]],
    ["welcome", ["hello"]],
    ["debug", ["verbose"]],
    ["reset", ["please"]],
    ["pid", ["0", "-1", "1.0", "self", "", "4194305"]],
    ["env", ["", "A", "=x", "1A=x", "A B=x", "A-B=x", "A=\0"]],
    ["env_inject", ["none"]],
    ["startup_script", ["", "a\0b"]],
    ["ssh_user", ["", "a\nb"]],
  ] satisfies readonly (readonly [keyof typeof PARAMETERS, readonly string[]])[])("%s", (name, texts) => {
    const others = { ...ssh, terminal_id: "1", display: "1" };
    for (const text of texts) {
      expect({ text, reason: refusal({ ...others, [name]: text }) }).toEqual({
        text,
        reason: expect.stringMatching(new RegExp(`^${name}: `)),
      });
    }
  });

  test("every parameter that is not repeatable is refused when it is given twice", () => {
    for (const [name, parameter] of Object.entries(PARAMETERS)) {
      if ("repeatable" in parameter) continue;
      expect(refusal(`${name}=1&${name}=1`)).toBe(`${name}: is given more than once`);
    }
  });

  test.each([
    ["ssh_host=h", "ssh_user: is needed with ssh_host"],
    ["redirect=display&display=1", "terminal_id: is needed with redirect=display"],
    ["redirect=display&terminal_id=1", "display: is needed with redirect=display"],
    ["arg=-l", "arg: this server takes no arguments from the address (option url-arg)"],
    ["pid=1&ssh_host=h&ssh_user=u", "pid: a process of this machine cannot be attached to over SSH"],
    [
      new URLSearchParams({ ...ssh, ssh_key: base64(locked) }).toString(),
      "ssh_key: has a passphrase: give it as ssh_password",
    ],
    [
      new URLSearchParams({ ...ssh, ssh_key: base64(locked), ssh_password: "" }).toString(),
      "ssh_key: has a passphrase: give it as ssh_password",
    ],
    ["env=A=1&".repeat(101), "env: is given more than 100 times"],
  ])("what does not go together: %s", (query, reason) => {
    expect(refusal(query)).toBe(reason);
  });

  test("a secret is not repeated in the reason", () => {
    expect(refusal({ ...ssh, ssh_key: base64("hunter2 hunter2") })).not.toContain("hunter2");
    expect(refusal({ ...ssh, ssh_password: "hunter2".repeat(99) })).not.toContain("hunter2");
  });
});
