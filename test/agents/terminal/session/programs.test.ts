import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

/** What people run in terminals, as it is installed. */
describe("programs that draw and ask", () => {
  test.skipIf(lacks("fish"))("fish does not wait for answers, completes, and runs", async () => {
    await using service = startService();
    const client = await service.open("shell=fish");
    await client.shows(/~(.)?> ?$|# ?$/);
    client.type("echo fish $version on (string length four)\n");
    await client.shows(/\nfish \d[\d.]* on 4/);
    client.type("ls /etc/hostna\t");
    await client.shows("ls /etc/hostname");
    client.type("\x15");
    client.type("exit 4\n");
    await until(() => client.exit);
    expect(client.exit).toMatchObject({ code: 4 });
  });

  test.skipIf(lacks("zsh"))("zsh completes, and runs its command once", async () => {
    await using service = startService();
    // Without this, zsh asks a user who has no settings what they should be.
    const home = temporaryFolder();
    await Bun.write(join(home, ".zshrc"), "PS1='ready> '\n");
    const client = await service.open({ shell: "zsh", cmd: btoa("echo first"), env: `ZDOTDIR=${home}` });
    await client.shows(/first\nready>/);
    client.type("cat /etc/hostna\t");
    await client.shows("cat /etc/hostname");
    client.type("\x15");
    client.type("echo then $ZSH_VERSION\n");
    await client.shows(/\nthen \d/);
    expect(client.text.match(/^first$/gm)).toHaveLength(1);
  });

  test.skipIf(lacks("tmux"))("tmux follows the size, splits, and gives the shell's screen back", async () => {
    await using service = startService();
    const client = await service.open("", { cols: 90, rows: 26 });
    const socket = join(temporaryFolder(), "tmux");
    client.type(`echo be''fore; tmux -S ${socket} -f /dev/null new -s in 'exec bash --norc'\n`);
    await client.shows("[in] 0:");
    client.send({ type: "size", cols: 70, rows: 20 });
    await until(() => client.size === "70x20");
    // tmux tells its own terminals of the size a little later.
    client.type("until [ \"$(stty size)\" = '19 70' ]; do sleep 0.05; done; echo resi''zed\n");
    await client.shows("resized");
    client.type("\x02%");
    await client.shows("│");
    Bun.spawnSync(["tmux", "-S", socket, "kill-server"]);
    await client.shows(/before[\s\S]*(exited|lost server)/);
    client.type("echo after $((1+1))\n");
    await client.shows("after 2");
  });

  test.skipIf(lacks("less", "htop"))("less and htop leave the screen as it was", async () => {
    await using service = startService();
    const client = await service.open("", { cols: 90, rows: 26 });
    client.type("echo be''fore; seq 1 500 | less\n");
    await client.shows(/^1\n2\n/m);
    client.type("G");
    await client.shows("(END)");
    client.type("q");
    client.type("htop\n");
    await client.shows("F10");
    client.send({ type: "size", cols: 110, rows: 30 });
    await until(() => client.size === "110x30");
    client.type("q");
    client.type("echo after $((1+1))\n");
    await client.shows(/before[\s\S]*after 2/);
    expect(client.text).not.toContain("F10");
  });
});

test("job control: ^Z stops, bg and fg go on, ^\\ ends", async () => {
  await using service = startService();
  const client = await service.open("");
  // Said by what is to be stopped: a shell between two commands is not it.
  client.type("sh -c 'echo rea\"\"dy; exec sleep 1000'\n");
  await client.shows("ready");
  client.type("\x1a");
  await client.shows("Stopped");
  client.type("bg; jobs\n");
  await client.shows("Running");
  client.type("fg; echo ba''ck\n");
  await until(() => /fg; echo[\s\S]*exec sleep 1000'$/.test(client.text));
  client.type("\x1c");
  await client.shows("Quit");
});

test("a paste of a megabyte in lines reaches a program that reads lines", async () => {
  await using service = startService();
  const client = await service.open("");
  const file = join(temporaryFolder(), "pasted");
  client.type(`stty -echo; cat >${file}; cksum <${file}; echo do''ne\n`);
  await until(() => Bun.file(file).exists());
  const paste = `${"0123456789abcdef".repeat(4)}\n`.repeat(16_384);
  for (let at = 0; at < paste.length; at += 65_536) client.type(paste.slice(at, at + 65_536));
  client.type("\x04");
  await client.shows("done");
  const expected = Bun.spawnSync(["cksum"], { stdin: Buffer.from(paste) }).stdout.toString();
  expect(client.text).toContain(expected.trim());
});
