/** Text goes out in pieces of about this size. */
const PIECE_CHARS = 16 * 1024;

/**
 * Text as a body that is made while it is read. A reader who does not read all of it in time is cut off: what the text is made of stays in
 * memory until then.
 *
 * @param ended called once, when nothing more of the text is needed
 */
export function listingBody(
  text: Iterable<string>,
  msMax: number,
  ended: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = text[Symbol.iterator]();
  let timer: Timer | undefined;
  const end = () => {
    clearTimeout(timer);
    ended();
  };
  return new ReadableStream(
    {
      start(controller) {
        timer = setTimeout(() => {
          end();
          controller.error(new Error("the listing was not read in time"));
        }, msMax);
      },
      pull(controller) {
        let piece = "";
        while (piece.length < PIECE_CHARS) {
          const { value, done } = pieces.next();
          if (done) {
            controller.enqueue(new TextEncoder().encode(piece));
            end();
            controller.close();
            return;
          }
          piece += value;
        }
        controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
