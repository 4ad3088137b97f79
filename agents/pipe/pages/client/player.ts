import { DETECT_BYTES, detect, mp4Type, webmType } from "./detect.ts";
import { element } from "./dom.ts";
import { transportStream } from "./transport-stream.ts";
import { size } from "./units.ts";

const video = element<HTMLVideoElement>("video");
const showStatus = (text: string) => {
  element("state").textContent = text;
};

/** Played video older than this is removed. */
const KEPT_SECONDS = 30;
/** With this much video buffered, reading pauses, which also pauses the sender. */
const AHEAD_SECONDS = 60;
/** The largest header of a video. */
const HEADER_BYTES_MAX = 16_000_000;

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const event = (target: EventTarget, ...names: string[]) =>
  new Promise((resolve) => {
    for (const name of names) target.addEventListener(name, resolve, { once: true });
  });

/** Reads a response, and shows the number of received bytes. */
async function* received(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let bytes = 0;
  if (response.body === null) return;
  const reader = response.body.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    bytes += step.value.length;
    element("figures").textContent = size(bytes);
    yield step.value;
  }
}

/** Plays pieces as they arrive. */
async function playPieces(type: string, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void> {
  if (!MediaSource.isTypeSupported(type)) throw new Error(`this browser does not play ${type}`);
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  video.controls = true;
  await event(source, "sourceopen");
  const buffer = source.addSourceBuffer(type);
  const settled = () => (buffer.updating ? event(buffer, "updateend") : undefined);
  for await (const piece of pieces) {
    const { buffered } = buffer;
    while (
      buffered.length > 0 &&
      buffer.buffered.end(buffer.buffered.length - 1) - video.currentTime > AHEAD_SECONDS
    ) {
      await event(video, "timeupdate", "seeked", "ended");
    }
    if (video.currentTime > 2 * KEPT_SECONDS) {
      buffer.remove(0, video.currentTime - KEPT_SECONDS);
      await settled();
    }
    buffer.appendBuffer(piece);
    await settled();
  }
  source.endOfStream();
}

async function* prepended(
  first: Uint8Array<ArrayBuffer>,
  rest: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  yield first;
  yield* rest;
}

async function* transmuxed(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let ready: Uint8Array<ArrayBuffer>[] = [];
  const stream = transportStream((fragment) => ready.push(new Uint8Array(fragment)));
  for await (const piece of pieces) {
    stream.push(piece);
    yield* ready;
    ready = [];
  }
  stream.end();
  yield* ready;
}

/** Plays a video that can only be played when complete. */
async function playWhole(type: string, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void> {
  showStatus("Receiving: this kind of video plays when it is complete");
  const parts: Blob[] = [];
  for await (const piece of pieces) parts.push(new Blob([piece]));
  video.src = URL.createObjectURL(new Blob(parts, { type }));
  video.controls = true;
}

async function play(): Promise<void> {
  const query = new URLSearchParams(location.search);
  query.delete("video");
  const response = await fetch(`${location.pathname}?${query}`, {
    credentials: "same-origin",
    cache: "no-store",
  });
  if (!response.ok) throw new Error((await response.text()).replace(/^\[ERROR\] /, "").trim());
  const pieces = received(response);
  showStatus("Receiving");
  const kindOf = (head: Uint8Array) => (head.length < DETECT_BYTES ? undefined : detect(head));
  let { head, value: kind } = await readUntil(new Uint8Array(0), pieces, kindOf);
  kind ??= detect(head);
  if (kind === "mpegts") {
    const fragments = transmuxed(prepended(head, pieces));
    const { head: start, value: type } = await readUntil(new Uint8Array(0), fragments, mp4Type);
    if (!type) throw new Error("there is no video in this transport stream that a browser plays");
    await playPieces(type, prepended(start, fragments));
  } else if (kind === "webm" || kind === "mp4") {
    const typeOf = kind === "webm" ? webmType : mp4Type;
    const early = typeOf(head);
    const known = early === undefined ? await readUntil(head, pieces, typeOf) : { head, value: early };
    head = known.head;
    if (known.value) await playPieces(known.value, prepended(head, pieces));
    else await playWhole(`video/${kind}`, prepended(head, pieces));
  } else {
    await response.body?.cancel().catch(() => {});
    throw new Error("this is no WebM, MP4 or MPEG transport stream");
  }
  showStatus("Complete");
}

/** Reads until `look` finds a result in the beginning of the video, or the video ends. */
async function readUntil<Value>(
  begin: Uint8Array<ArrayBuffer>,
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  look: (head: Uint8Array) => Value | null | undefined,
): Promise<{ head: Uint8Array<ArrayBuffer>; value: Value | null | undefined }> {
  let head = begin;
  for (;;) {
    const { value: piece, done } = await pieces.next();
    if (done) return { head, value: look(head) };
    head = concat([head, piece]);
    const value = look(head);
    if (value !== undefined) return { head, value };
    if (head.length > HEADER_BYTES_MAX) return { head, value: null };
  }
}

play().catch((error) => {
  if (video.readyState === HTMLMediaElement.HAVE_NOTHING) video.controls = false;
  showStatus("It can't be played");
  element("said").hidden = false;
  element("said").className = "said bad";
  element("said").textContent = error.message;
});
