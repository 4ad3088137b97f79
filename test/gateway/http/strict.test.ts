import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { admin, gateOf, open, signedIn } from "../../../gateway/auth/guards.ts";
import { done } from "../../../gateway/http/envelope.ts";
import { strict } from "../../../gateway/http/strict.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";

const said = { response: { 200: EmptyReply }, detail: { summary: "Says" } };

test("a route that does not say who may call it stops the start", () => {
  expect(() => strict(new Elysia().get("/a", () => done("a"), said))).toThrow("GET /a must say who may call");
  const late = new Elysia().get("/a", () => done("a"), said).use(open("a test"));
  expect(() => strict(late)).toThrow("GET /a must say who may call");
});

test("a route under two guards stops the start, however they came together", () => {
  const tokens = { verify: () => never() };
  const one = () => new Elysia().use(signedIn(tokens, "resources.read"));
  const stated = one()
    .use(signedIn(tokens, "wallet.spend"))
    .post("/a", () => done("a"), said);
  expect(() => strict(stated)).toThrow("POST /a has 2 guards on its chain");
  const nested = one().use(new Elysia().use(admin(tokens)).post("/b", () => done("b"), said));
  expect(() => strict(nested)).toThrow("POST /b has 2 guards on its chain");
  const publicToo = one().use(new Elysia().use(open("a test")).get("/c", () => done("c"), said));
  expect(() => strict(publicToo)).toThrow("GET /c has 2 guards on its chain");
  const beside = new Elysia()
    .use(one().get("/d", () => done("d"), said))
    .use(new Elysia().use(open("a test")).get("/e", () => done("e"), said));
  expect(strict(beside).routes.map((route) => gateOf(route).access.kind)).toEqual(["permission", "public"]);
});

test("a route must say its params, its response and its summary", () => {
  const publicly = () => new Elysia().use(open("a test"));
  expect(() => strict(publicly().get("/:id", () => done("a"), said))).toThrow("its params");
  expect(() => strict(publicly().get("/", () => done("a"), { detail: said.detail }))).toThrow("its response");
  expect(() => strict(publicly().get("/", () => done("a"), { response: said.response }))).toThrow(
    "its detail.summary",
  );
  expect(() => strict(publicly().get("/", () => "page", { detail: { hide: true } }))).not.toThrow();
  expect(() =>
    strict(publicly().get("/:id", () => done("a"), { ...said, params: Type.Object({}) })),
  ).not.toThrow();
});

function never(): never {
  throw new Error("nobody calls");
}
