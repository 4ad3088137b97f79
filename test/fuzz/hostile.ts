/** Values that have broken programs which read JSON, text or headers from strangers. */

/** JSON whose keys are names of methods, or of the prototype: a text made of such a value by `String(value)` throws. */
export const HOSTILE_OBJECTS = [
  '{"toString":1}',
  '{"valueOf":1}',
  '{"toString":1,"valueOf":1}',
  '{"toString":null,"toJSON":null}',
  '{"toJSON":1}',
  '{"toJSON":"toJSON"}',
  '{"__proto__":null}',
  '{"__proto__":{"toString":1}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"hasOwnProperty":1}',
  '{"then":1}',
  '{"length":-1}',
  '{"length":1e9,"0":"a"}',
  '{"message":1,"stack":2,"name":3}',
  '{"a":{"b":{"toString":1}}}',
  '{"":{"toString":1}}',
] as const;

export const HOSTILE_ARRAYS = [
  "[]",
  '[{"toString":1}]',
  '[[{"valueOf":1,"toString":1}]]',
  "[null]",
  `${"[".repeat(40)}${"]".repeat(40)}`,
] as const;

/** JSON that is no object and no list. */
export const HOSTILE_SCALARS = [
  "null",
  "true",
  "-1",
  "-0",
  "0.1",
  "1e308",
  "1e400",
  "9007199254740993",
  '""',
  '" "',
  '"toString"',
  '"__proto__"',
  '"constructor"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\u200b"',
  '"NaN"',
  '"1e5"',
  '"-1"',
  '"\'; DROP TABLE accounts; --"',
  '"%s%n%x"',
  '"$' + '{7*7}"',
  '"../../../etc/passwd"',
  `"${"a".repeat(20_000)}"`,
  '"\\ud83d\\ude00"',
] as const;

/** Text of a query or a path, not yet encoded. */
export const HOSTILE_TEXTS = [
  "",
  " ",
  "toString",
  "__proto__",
  "constructor",
  "-1",
  "1e9",
  "0x10",
  "99999999999999999999",
  "NaN",
  "null",
  "[object Object]",
  "'; DROP TABLE accounts; --",
  "%",
  "../..",
  "a,b,,c",
  "\u202e\ud83d\ude00",
  "2026-02-30T25:61:61Z",
  "a".repeat(3_000),
  ...HOSTILE_OBJECTS,
  '{"amount":{"toString":1}}',
  '{"amount":{"in":[{"toString":1}]}}',
  '{"created_at":{"gt":{"valueOf":1}}}',
  '{"__proto__":{"eq":1}}',
  '{"toString":{"eq":1}}',
] as const;

/** Headers that a route reads, or something before it, though its description does not name them. */
export const UNDOCUMENTED_HEADERS = [
  "x-request-id",
  "last-event-id",
  "if-none-match",
  "if-modified-since",
  "accept",
  "x-forwarded-for",
] as const;

/** Values of a header, as bytes that a client may send. */
export const HOSTILE_HEADERS = [
  "",
  "toString",
  '{"toString":1}',
  "__proto__",
  "\u00ff\u00fe",
  "a".repeat(2_000),
  "-1",
  ",,,;;;==",
  "Thu, 99 Foo 0000 99:99:99 GMT",
] as const;
