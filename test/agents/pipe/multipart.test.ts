import { describe, expect, test } from "bun:test";
import { BodyError } from "../../../agents/http1/body.ts";
import { Refusal } from "../../../agents/http1/refusal.ts";
import { boundaryOf, MultipartParser } from "../../../agents/pipe/multipart.ts";

function parse(boundary: string, pieces: readonly Uint8Array[], isTextForm = false) {
  const parts: { contentType: string; disposition: string | undefined }[] = [];
  const data: Buffer[] = [];
  const reader = {
    part: (headers: (typeof parts)[number]) => void parts.push(headers),
    data: (bytes: Buffer) => void data.push(Buffer.from(bytes)),
  };
  const parser = new MultipartParser(boundary, reader, isTextForm);
  for (const piece of pieces) parser.push(Buffer.from(piece));
  parser.end();
  return { parts, data: Buffer.concat(data).toString("latin1") };
}

const B = "--b-o_u'n";
const FIELD = 'Content-Disposition: form-data; name="field"';
const FILE = 'Content-Disposition: form-data; name="f"; filename="a.txt"';

/** A file that looks like delimiters all over. */
const TRICKY = `\r\n--b-o\r\n--b-o_u'\r\n\r\n--b-o_u'\r\r\n-\r\n--\r`;
const BODY = [
  "a preamble",
  B,
  FIELD,
  "",
  "filename=ignored",
  `${B}  `,
  FILE,
  "Content-Type: text/csv",
  "",
  TRICKY,
  B,
  'Content-Disposition: form-data; name="g"; filename="second"',
  "",
  "not this one",
  `${B}--`,
  "an epilogue",
].join("\r\n");

const EXPECTED = {
  parts: [{ contentType: "text/csv", disposition: FILE.slice("Content-Disposition: ".length) }],
  data: TRICKY,
};

describe("the first file of a body is found, and all of it", () => {
  const whole = Buffer.from(BODY, "latin1");

  test("in one piece", () => expect(parse("b-o_u'n", [whole])).toEqual(EXPECTED));

  test("cut in two anywhere", () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(parse("b-o_u'n", [whole.subarray(0, cut), whole.subarray(cut)])).toEqual(EXPECTED);
    }
  });

  test("cut in three anywhere", () => {
    for (let from = 0; from < whole.length; from += 3) {
      for (let to = from; to < whole.length; to += 7) {
        const pieces = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)];
        expect(parse("b-o_u'n", pieces)).toEqual(EXPECTED);
      }
    }
  });

  test("byte by byte", () => {
    expect(
      parse(
        "b-o_u'n",
        [...whole].map((byte) => Buffer.from([byte])),
      ),
    ).toEqual(EXPECTED);
  });
});

test.each([
  ["empty", ""],
  ["one byte", "x"],
  ["a line end", "\r\n"],
  ["the begin of a delimiter", "\r\n--"],
])("a file may be %s", (_, content) => {
  expect(parse("x", [Buffer.from(`--x\r\n${FILE}\r\n\r\n${content}\r\n--x--`)]).data).toBe(content);
});

test("a file without a type is bytes", () => {
  expect(parse("x", [Buffer.from(`--x\r\n${FILE}\r\n\r\na\r\n--x--`)]).parts[0]?.contentType).toBe(
    "application/octet-stream",
  );
});

test("the text field of the form is plain text, though it is no file", () => {
  const body = `--x\r\nContent-Disposition: form-data; name="input_text"\r\nContent-Type: text/html\r\n\r\nhi\r\n--x--`;
  expect(parse("x", [Buffer.from(body)], true)).toEqual({
    parts: [{ contentType: "text/plain; charset=utf-8", disposition: undefined }],
    data: "hi",
  });
});

test("in any other form a field of the same name is no file, and takes no file's place", () => {
  const field = `--x\r\nContent-Disposition: form-data; name="input_text"\r\n\r\nhi\r\n`;
  expect(() => parse("x", [Buffer.from(`${field}--x--`)])).toThrow(BodyError);
  expect(parse("x", [Buffer.from(`${field}--x\r\n${FILE}\r\n\r\nfile\r\n--x--`)]).data).toBe("file");
});

test.each([
  ["no file part", `--x\r\n${FIELD}\r\n\r\nvalue\r\n--x--`],
  ["no part at all", "--x--"],
  ["no end", `--x\r\n${FILE}\r\n\r\nabc`],
  ["an end that is none", `--x\r\n${FILE}\r\n\r\nabc\r\n--x`],
  ["an end without its line end", `--x\r\n${FILE}\r\n\r\nabc--x--`],
  ["nothing", ""],
  ["a delimiter with something after it", `--x\r\n${FILE}\r\n\r\nabc\r\n--xyz\r\n--x--`],
  ["a malformed header", `--x\r\nno colon here\r\n\r\nabc\r\n--x--`],
  ["a header without end", `--x\r\n${"a: b\r\n".repeat(10_000)}`],
])("a body with %s is no clean end", (_, body) => {
  expect(() => parse("x", [Buffer.from(body)])).toThrow(BodyError);
});

test("a body holds no more than a header's worth, however it comes", () => {
  const parser = new MultipartParser("x", { part() {}, data() {} });
  expect(() => {
    for (let at = 0; at < 100; at++) parser.push(Buffer.from(`--x\r\na: ${"b".repeat(1_000)}`));
  }).toThrow(BodyError);
});

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['Multipart/Form-Data ; charset=x; Boundary="a b;c"', "a b;c"],
  ["multipart/form-data;boundary=----WebKitFormBoundaryx", "----WebKitFormBoundaryx"],
  ["multipart/mixed; boundary=abc", undefined],
  ["text/plain", undefined],
])("the boundary of %s", (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary as string);
});

test.each([
  "multipart/form-data",
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${"x".repeat(300)}`,
])("%s is refused", (contentType) => {
  expect(() => boundaryOf(contentType)).toThrow(Refusal);
});
