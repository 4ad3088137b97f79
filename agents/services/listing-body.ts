/** Text is sent in pieces of about this size. */
const PIECE_CHARS = 16 * 1024;

/**
 * A body of text that is generated while it is read. It breaks off after a time limit, since the entries stay in
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
