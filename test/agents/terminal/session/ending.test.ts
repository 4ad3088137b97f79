import { expect, test } from "bun:test";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import { parseRequest } from "../../../../agents/terminal/parameters/parse.ts";
import { startPty } from "../../../../agents/terminal/session/process.ts";
import { SESSIONS_MAX, Sessions, TooManySessions } from "../../../../agents/terminal/session/sessions.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** A session whose program does not hear that it is to end. */
const DEAF = {
  terminal_id: "7",
  shell: "bash",
  cmd: btoa(`exec sh -c 'trap "" HUP; echo de"af"; while :; do sleep 1; done'`),
};

test("the number of a session that was ended gets a new one at once, while its program goes on ending", async () => {
  await using service = startService();
  const before = await service.open(DEAF);
  await before.shows("deaf");
  const at = `${service.origin}/api/v1/terminal/sessions`;
  const ended = await fetch(`${at}/7`, { method: "DELETE" });
  expect(ended.status).toBe(204);
  expect(await (await fetch(at)).json()).toEqual({ sessions: [] });
  expect((await fetch(`${at}/7`, { method: "DELETE" })).status).toBe(404);

  const after = await service.open("terminal_id=7");
  after.type("mark=new; echo mark is $mark\n");
  await after.shows("mark is new");
  expect(after.text).not.toContain("deaf");
  expect(before.exit).toBeNull();
  const session = service.terminal.sessions.get(7);

  // The end of the one does nothing to the other.
  await until(() => before.exit);
  expect(before.exit).toMatchObject({ reason: "it was ended from the list of sessions" });
  expect(service.terminal.sessions.get(7)).toBe(session as never);
  expect(service.terminal.sessions.recent(7)).toBe(session as never);
  const again = await service.open("terminal_id=7");
  again.type("echo again $mark\n");
  await again.shows("again new");
  expect(after.exit).toBeNull();
});

test("of two that end under one number, the later one is what a page that comes back hears of", async () => {
  await using service = startService();
  const before = await service.open(DEAF);
  await before.shows("deaf");
  await fetch(`${service.origin}/api/v1/terminal/sessions/7`, { method: "DELETE" });
  const after = await service.open("terminal_id=7");
  const session = service.terminal.sessions.get(7);
  after.type("exit 3\n");
  await until(() => after.exit);
  await until(() => before.exit);
  expect(service.terminal.sessions.recent(7)).toBe(session as never);
});

const asked = (query = "") => parseRequest(new URLSearchParams(query), { urlArg: false, origin: "http://a" });
const cats = () =>
  new Sessions(async () => ({
    start: startPty(hostExecTarget, { user: null, argv: ["cat"], env: {} }),
    description: "cat",
  }));

test("however many are opened at once, there are no more than may be, and the rest are told so", async () => {
  const sessions = cats();
  try {
    const answers = await Promise.allSettled(
      Array.from({ length: SESSIONS_MAX + 40 }, () => sessions.ensure(asked())),
    );
    const refused = answers.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(40);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManySessions);
    expect(sessions.open).toHaveLength(SESSIONS_MAX);

    // One that is set up again keeps its place, and one that was ended gives it to one other.
    const [first] = sessions.open;
    await sessions.ensure(asked(`terminal_id=${first?.id}&reset=true`));
    expect(sessions.open).toHaveLength(SESSIONS_MAX);
    sessions.open[0]?.end("");
    const two = await Promise.allSettled([sessions.ensure(asked()), sessions.ensure(asked())]);
    expect(two.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  } finally {
    sessions.close();
    await until(() => sessions.all.length === 0);
  }
});

test("an opening that fails gives its place back", async () => {
  let isBroken = true;
  const sessions = new Sessions(async () => {
    if (isBroken) throw new Error("no");
    return { start: startPty(hostExecTarget, { user: null, argv: ["cat"], env: {} }), description: "cat" };
  });
  await Promise.allSettled(Array.from({ length: SESSIONS_MAX }, () => sessions.ensure(asked())));
  isBroken = false;
  await sessions.ensure(asked());
  expect(sessions.open).toHaveLength(1);
  sessions.close();
  await until(() => sessions.all.length === 0);
});

test("a session that is there only when all are ended is ended too", async () => {
  const sessions = cats();
  const opening = sessions.ensure(asked("terminal_id=7"));
  sessions.close();
  const { session } = await opening;
  await until(() => session.exit);
  expect(session.exit?.reason).toBe("the service stops");
});
