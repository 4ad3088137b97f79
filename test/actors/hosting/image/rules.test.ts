import { describe, expect, test } from "bun:test";
import {
  added,
  assertCarried,
  averageOf,
  changed,
  folded,
  searchText,
} from "../../../../actors/hosting/image/rules.ts";
import { imageFields } from "../../../gateway/routes/hosting/image/catalogue.ts";

const NOW = new Date("2026-01-31T09:30:00.000Z");

describe("an average", () => {
  test.each([
    [0, 0, 0],
    [450, 1, 4.5],
    [800, 3, 2.67],
    [1_000, 3, 3.33],
    [201, 2, 1.01],
    [500_000_000_000, 1_000_000_000, 5],
  ])("of the sum %d over %d ratings is %d", (sum, count, average) => {
    expect(averageOf({ sum, count })).toBe(average);
  });
});

describe("an image", () => {
  test("is public, without a rating and without an icon when it is added", () => {
    expect(added(imageFields(), NOW)).toMatchObject({
      isPublic: true,
      prespawn: false,
      size: 0,
      serial: "",
      tags: [],
      ratings: { sum: 0, count: 0 },
      hasIcon: false,
      deletedAt: null,
    });
  });

  test("keeps what a change leaves out", () => {
    const image = added(imageFields({ price: "5", tags: ["a"], size: 1 }), NOW);
    expect(changed(image, { price: "0" })).toEqual({ ...image, priceCents: 0n });
    expect(changed(image, { public: false, size: 0, tags: [] })).toEqual({
      ...image,
      isPublic: false,
      size: 0,
      tags: [],
    });
  });

  test("is of a release that the platform carries", () => {
    const verdict = (os: string, release: string) => {
      try {
        assertCarried({ os, release });
        return "carried";
      } catch (error) {
        return (error as { field: string }).field;
      }
    };
    expect(verdict("debian", "13")).toBe("carried");
    expect(verdict("debian", "12")).toBe("body.release");
    expect(verdict("ubuntu", "24.04")).toBe("body.os");
    expect(verdict("constructor", "13")).toBe("body.os");
  });
});

describe("a search", () => {
  test("looks through name, description and tags, and finds nothing across two of them", () => {
    const text = searchText(added(imageFields({ alias: "Web", description: "For ALL", tags: ["X"] }), NOW));
    expect(text).toBe("web\ndebian/13\nfor all\nx");
  });

  test("takes letters in any case, however they are put together, for the same", () => {
    expect(folded("GRO\u0308SSE")).toBe(folded("gr\u00f6sse"));
  });
});
