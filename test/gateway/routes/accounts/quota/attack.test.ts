import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Answer, type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { tenant } from "../../hosting/container/hosting.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

/** Starts `count` requests, `width` of them at once. */
async function many(count: number, width: number, make: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < count; n += width)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(width, count - n) }, (_, i) => make(n + i)))),
    );
  return answers;
}

const outcomes = (answers: readonly Answer[]) => ({
  created: answers.filter(({ status }) => status === 201).length,
  refused: answers.filter(({ status, body }) => status === 403 && body.code === "QUOTA_EXCEEDED").length,
});

test.each([
  ["in a row", 102, 1],
  ["in parallel", 150, 150],
])("of containers that are asked for %s, 100 of %d are created", async (_how, count, width) => {
  const { create, token } = await tenant(stack, `quota-${width}`);
  const answers = await many(count, width, (n) => create(`c-${n}`));
  expect(outcomes(answers)).toEqual({ created: 100, refused: count - 100 });
  const list = await stack.call("GET", "/api/v1/containers", { token });
  expect(list.status).toBe(200);
});

test.each([
  ["in a row", 102, 1],
  ["in parallel", 150, 150],
])("of projects that are asked for %s, 100 of %d are created", async (_how, count, width) => {
  const { token } = await stack.user();
  const answers = await many(count, width, (n) =>
    stack.call("POST", "/api/v1/projects", { token, body: { name: `p-${n}` } }),
  );
  expect(outcomes(answers)).toEqual({ created: 100, refused: count - 100 });
});
