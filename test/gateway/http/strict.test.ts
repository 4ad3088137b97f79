import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { anyone } from "../../../gateway/auth/guards.ts";
import { done } from "../../../gateway/http/envelope.ts";
import { strict } from "../../../gateway/http/strict.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";

const said = { response: { 200: EmptyReply }, detail: { summary: "Says" } };

test("a route that does not say who may call it stops the start", () => {
  expect(() => strict(new Elysia().get("/a", () => done("a"), said))).toThrow("GET /a must say who may call");
  const late = new Elysia().get("/a", () => done("a"), said).use(anyone());
  expect(() => strict(late)).toThrow("GET /a must say who may call");
});

test("a route must say its params, its response and its summary", () => {
  const open = () => new Elysia().use(anyone());
  expect(() => strict(open().get("/:id", () => done("a"), said))).toThrow("its params");
  expect(() => strict(open().get("/", () => done("a"), { detail: said.detail }))).toThrow("its response");
  expect(() => strict(open().get("/", () => done("a"), { response: said.response }))).toThrow(
    "its detail.summary",
  );
  expect(() => strict(open().get("/", () => "page", { detail: { hide: true } }))).not.toThrow();
  expect(() =>
    strict(open().get("/:id", () => done("a"), { ...said, params: Type.Object({}) })),
  ).not.toThrow();
});
