export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The names of tests that did not run. A name that says why ends with "(needs …)". */
  readonly skipped: readonly string[];
}

/** Reads the JUnit report of `bun test`: each test case is one element, with a child when it did not pass. */
export function readJunit(xml: string): Outcome {
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const [, attributes = "", selfClosed, body = ""] of xml.matchAll(
    /<testcase\b((?:\s+[\w:-]+="[^"]*")*)\s*(?:(\/)>|>(.*?)<\/testcase>)/gs,
  )) {
    if (selfClosed) passed++;
    else if (/<(failure|error)\b/.test(body)) failed++;
    else if (/<skipped\b/.test(body)) skipped.push(plain(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ""));
    else passed++;
  }
  return { passed, failed, skipped };
}

/** How long each test file of a report took, seconds. */
export function readFileTimes(xml: string): Record<string, number> {
  const suites = xml.matchAll(/<testsuite\s+name="([^"]*)"\s+file="\1"[^>]*?\stime="([\d.]+)"/g);
  return Object.fromEntries([...suites].map(([, file = "", time]) => [plain(file), Number(time)]));
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const plain = (text: string) => text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all);
