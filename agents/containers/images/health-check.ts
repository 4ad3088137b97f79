import { type Static, Type } from "@sinclair/typebox";
import type { ImageConfig } from "./manifest.ts";

/** The check of an image's config: Docker's `HEALTHCHECK`. */
export const ImageHealthCheck = Type.Object({
  argv: Type.Array(Type.String()),
  /** Null: it says nothing of it. */
  interval_ms: Type.Union([Type.Number(), Type.Null()]),
  timeout_ms: Type.Union([Type.Number(), Type.Null()]),
  start_period_ms: Type.Union([Type.Number(), Type.Null()]),
  start_interval_ms: Type.Union([Type.Number(), Type.Null()]),
  retries: Type.Union([Type.Integer(), Type.Null()]),
});
export type ImageHealthCheck = Static<typeof ImageHealthCheck>;

const NANOSECONDS_PER_MS = 1_000_000;
const DEFAULT_SHELL = ["/bin/sh", "-c"];
/** The record on disk has it, and a shell line is rarely longer than a screen's. */
const COMMAND_CHARS_MAX = 16_384;

/** Null: the image has none, or one that cannot be run. */
export function healthCheckOf({ config }: ImageConfig): ImageHealthCheck | null {
  const { Test, Interval, Timeout, StartPeriod, StartInterval, Retries } = config?.Healthcheck ?? {};
  const argv = argvOf(Test ?? [], config?.Shell ?? DEFAULT_SHELL);
  if (argv.length === 0 || argv.join("").length > COMMAND_CHARS_MAX) return null;
  return {
    argv,
    interval_ms: msOf(Interval),
    timeout_ms: msOf(Timeout),
    start_period_ms: msOf(StartPeriod),
    start_interval_ms: msOf(StartInterval),
    retries: Retries || null,
  };
}

function argvOf([kind, ...words]: readonly string[], shell: readonly string[]): string[] {
  if (words.length === 0) return [];
  if (kind === "CMD") return words;
  return kind === "CMD-SHELL" ? [...shell, words[0] ?? ""] : [];
}

/** 0 means the standard, as with Docker. */
const msOf = (nanoseconds: number | null | undefined): number | null =>
  nanoseconds ? Math.max(1, Math.round(nanoseconds / NANOSECONDS_PER_MS)) : null;
