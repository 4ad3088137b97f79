import { describe, expect, test } from "bun:test";
import { NotRunning } from "../../../agents/containers/command.ts";
import { Commands } from "../../../agents/control-plane/commands.ts";
import type { HostCommandRequest } from "../../../schemas/hosting/container-command.ts";
import { newId } from "../network/nft/rules.ts";

/** What a host does with requests for commands, apart from running them. */

const request = (fields: Partial<HostCommandRequest> = {}): HostCommandRequest => ({
  command_id: newId(),
  container_id: "0".repeat(24),
  is_repeated: false,
  command: ["true"],
  env: {},
  user: null,
  working_directory: null,
  input: "",
  timeout_ms: 1_000,
  ...fields,
});
/** Nobody's access ends. */
const STAYS = { hasSessionEnded: () => false, mayEnter: () => true };
const ended = { code: 0, boundMet: null, stdout: Buffer.from("x"), stderr: Buffer.alloc(0) };

test("the command of an id is started once, and a repeated one that is unknown never", async () => {
  let started = 0;
  const commands = new Commands(async () => {
    started += 1;
    return ended;
  }, STAYS);
  const first = request();
  const replies = await Promise.all([
    commands.reply(first),
    commands.reply({ ...first, is_repeated: true }),
    commands.reply(first),
  ]);
  expect(started).toBe(1);
  expect(new Set(replies.map((reply) => reply.kind))).toEqual(new Set(["ended"]));
  expect(await commands.reply(request({ is_repeated: true }))).toMatchObject({ reason: "unknown" });
  expect(started).toBe(1);
});

test("no more than 64 run on a host, of which 4 are one container's", async () => {
  const end = Promise.withResolvers<typeof ended>();
  const commands = new Commands(() => end.promise, STAYS);
  const containers = Array.from({ length: 20 }, newId);
  const asked = containers.flatMap((container_id) =>
    Array.from({ length: 5 }, () => commands.reply(request({ container_id }))),
  );
  end.resolve(ended);
  const replies = await Promise.all(asked);
  expect(replies.filter((reply) => reply.kind === "ended")).toHaveLength(64);
  const refused = replies.filter((reply) => reply.kind === "refused");
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(["busy"]));
});

test("a command that was refused before it started may be started by the same request again", async () => {
  let isBusy = true;
  let started = 0;
  const commands = new Commands(async () => {
    if (isBusy) throw new NotRunning();
    started += 1;
    return ended;
  }, STAYS);
  const first = request();
  const again = { ...first, is_repeated: true };
  expect(await commands.reply(first)).toMatchObject({ reason: "not_running" });
  expect(await commands.reply(again)).toMatchObject({ reason: "not_running" });
  isBusy = false;
  const replies = await Promise.all([commands.reply(again), commands.reply(again)]);
  expect(replies.map(({ kind }) => kind)).toEqual(["ended", "ended"]);
  expect(started).toBe(1);
});

describe("a command ends with its caller's access", () => {
  const caller = {
    ...{ user_id: newId(), session_id: newId(), session_user_id: newId() },
    ...{ seen_ms: Date.now(), ends_ms: null },
  };
  const access = { sessionEnded: false, listed: true };
  /** The reply to a command that runs until it is ended, and of which `change` happens meanwhile. */
  const replyAfter = async (
    change: () => void,
    fields: Partial<typeof caller> | { ends_ms: number } = {},
  ) => {
    Object.assign(access, { sessionEnded: false, listed: true });
    const commands = new Commands(
      (_id, { signal }) =>
        new Promise((resolve) => {
          const end = () => resolve({ ...ended, code: null, boundMet: "signal" });
          if (signal?.aborted) end();
          signal?.addEventListener("abort", end);
          change();
        }),
      { hasSessionEnded: () => access.sessionEnded, mayEnter: () => access.listed },
    );
    return commands.reply(request({ caller: { ...caller, ...fields } }));
  };

  test.each([
    ["the session ends", () => Object.assign(access, { sessionEnded: true }), {}],
    ["the user is taken off the container's list", () => Object.assign(access, { listed: false }), {}],
    ["the credential expires", () => {}, { ends_ms: Date.now() + 1 }],
  ])("when %s", async (_, change, fields) => {
    expect(await replyAfter(change, fields)).toMatchObject({ kind: "refused", reason: "access_ended" });
  });

  test("and not because the host does not know a newcomer yet", async () => {
    const commands = new Commands(
      async (_id, { signal }) => {
        await Bun.sleep(0);
        return signal?.aborted ? { ...ended, boundMet: "signal" as const } : ended;
      },
      { hasSessionEnded: () => false, mayEnter: () => false },
    );
    expect((await commands.reply(request({ caller }))).kind).toBe("ended");
  });
});
