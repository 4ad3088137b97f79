import { describe, expect, test } from "bun:test";
import { findFaces } from "../../../../gateway/invoices/pdf/fonts.ts";
import { Typesetter } from "../../../../gateway/invoices/pdf/text.ts";

const STYLE = { size: 10, weight: "regular" } as const;
const runsOf = async (text: string) =>
  (await Typesetter.for([text])).line(text, STYLE).runs.map((run) => run.text);

describe("every character has a face", () => {
  test.each([
    ["Latin", "Łódź, Ærøskøbing, Ğ, ß, Đắk Lắk"],
    ["Cyrillic", "Київ, Ўзбекистон, ѣ"],
    ["Greek", "Αθήνα, ἀρχή"],
    ["Arabic", "مرحبا، پارسی، اردو ٹ"],
    ["Hebrew", "שָׁלוֹם"],
    ["Devanagari", "नमस्ते क्षत्रिय"],
    ["Thai", "สวัสดี ที่นี่"],
    ["Armenian", "Երևան"],
    ["Georgian", "თბილისი"],
    ["simplified Chinese", "东京 简体"],
    ["traditional Chinese", "臺灣 繁體"],
    ["Japanese", "東京 ひらがな カタカナ"],
    ["Korean", "서울 한국어"],
    ["Bengali", "বাংলা ভাষা"],
    ["Tamil", "தமிழ் மொழி"],
    ["Telugu", "తెలుగు భాష"],
    ["Gujarati", "ગુજરાતી ભાષા"],
    ["Gurmukhi", "ਪੰਜਾਬੀ ਭਾਸ਼ਾ"],
    ["Kannada", "ಕನ್ನಡ ಭಾಷೆ"],
    ["Malayalam", "മലയാളം ഭാഷ"],
    ["Odia", "ଓଡ଼ିଆ ଭାଷା"],
    ["Sinhala", "සිංහල භාෂාව"],
    ["Lao", "ພາສາລາວ"],
    ["Khmer", "ភាសាខ្មែរ"],
    ["Burmese", "မြန်မာဘာသာ"],
    ["Ethiopic", "አማርኛ ቋንቋ"],
    ["signs", "€ £ ₹ — … “x” № ™"],
  ])("of %s", async (_script, text) => {
    const faces = await findFaces(text);
    for (const character of text) expect(faces.get(character)?.character).toBe(character);
    const { width } = (await Typesetter.for([text])).line(text, STYLE);
    expect(width).toBeGreaterThan(0);
  });

  test("or becomes U+FFFD", async () => {
    const faces = await findFaces("a𒀀");
    expect([faces.get("a")?.character, faces.get("𒀀")?.character]).toEqual(["a", "\ufffd"]);
  });
});

test("a cluster that the library cannot shape is a sign of its own, and the rest of its word stands", async () => {
  const runs = await runsOf("ਪੰਜਾਬੀ");
  expect(runs.join("")).toEndWith("ਜਾਬੀ");
});

test("Han characters take the form of the language that stands around them", async () => {
  const faceOf = async (text: string) => (await findFaces(text)).get("骨")?.faces.regular.name ?? "";
  expect(await faceOf("骨")).toStartWith("noto-sans-sc");
  expect(await faceOf("骨の")).toStartWith("noto-sans-jp");
  expect(await faceOf("骨 한국")).toStartWith("noto-sans-kr");
});

describe("from left to right stand", () => {
  test("words of a right-to-left script in the order in which they are read from the right", async () => {
    expect(await runsOf("שלום עולם")).toEqual(["עולם", " ", "שלום"]);
    expect(await runsOf("abc שלום עולם def")).toEqual(["abc ", "עולם", " ", "שלום", " def"]);
  });

  test("brackets turned around in right-to-left text, and numbers as they are", async () => {
    expect(await runsOf("שלום (42)")).toEqual(["(", "42", ")", " ", "שלום"]);
  });

  test("marks with the letter that bears them", async () => {
    expect((await runsOf("e\u0323\u0302x"))[0]).toBe("ệ".normalize("NFC"));
    expect(await runsOf("q\u0323")).toEqual(["q\u0323"]);
  });

  test("no controls: they could turn around what stands after them", async () => {
    expect((await runsOf("a\u202eb\u2066c\u0000d\ne")).join("")).toBe("a b c d e");
  });
});

test("a run of controls parts words, on a line and in a paragraph", async () => {
  const text = "a\nb\tc\u0000\u0085d";
  expect((await runsOf(text)).join("")).toBe("a b c d");
  const [line] = (await Typesetter.for([text])).lines(text, STYLE, 200);
  expect(line?.runs.map((run) => run.text).join("")).toBe("a b c d");
});

describe("lines", () => {
  const words = "The quick brown fox jumps over the lazy dog, again and again and again.";

  test("hold every word in order, and none is wider than it may be", async () => {
    const typesetter = await Typesetter.for([words]);
    const lines = typesetter.lines(words, STYLE, 120);
    expect(lines.length).toBeGreaterThan(2);
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(120);
    expect(lines.map(({ runs }) => runs.map((run) => run.text).join("")).join(" ")).toBe(words);
  });

  test("break a word that is wider than a line, never within a letter", async () => {
    const text = "é👩‍👩‍👧".normalize("NFD").repeat(30);
    const typesetter = await Typesetter.for([text]);
    const lines = typesetter.lines(text, STYLE, 60);
    expect(lines.length).toBeGreaterThan(1);
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(60);
  });

  test("of nothing are one that is empty", async () => {
    expect((await Typesetter.for([])).lines("", STYLE, 60)).toEqual([{ runs: [], width: 0 }]);
  });
});
