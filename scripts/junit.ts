export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The names of tests that did not run. A name that says why ends with "(needs …)". */
  readonly skipped: readonly string[];
  /** The files in which a test failed. */
  readonly failedFiles: readonly string[];
}

/** Reads the JUnit report of `bun test`: each test case is one element, with a child when it did not pass. */
export function readJunit(xml: string): Outcome {
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  const failedFiles = new Set<string>();
  for (const [, attributes = "", selfClosed, body = ""] of xml.matchAll(
    /<testcase\b((?:\s+[\w:-]+="[^"]*")*)\s*(?:(\/)>|>(.*?)<\/testcase>)/gs,
  )) {
    const value = (name: string) => plain(new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    if (selfClosed) passed++;
    else if (/<(failure|error)\b/.test(body)) {
      failed++;
      failedFiles.add(value("file"));
    } else if (/<skipped\b/.test(body)) skipped.push(value("name"));
    else passed++;
  }
  return { passed, failed, skipped, failedFiles: [...failedFiles] };
}

/** How long each test file of a report took, seconds. */
export function readFileTimes(xml: string): Record<string, number> {
  const suites = xml.matchAll(/<testsuite\s+name="([^"]*)"\s+file="\1"[^>]*?\stime="([\d.]+)"/g);
  return Object.fromEntries([...suites].map(([, file = "", time]) => [plain(file), Number(time)]));
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const plain = (text: string) => text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all);
