import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The alert rules and the configuration of Prometheus that docs/ give, judged by promtool itself. Debian's package prometheus has it. */

const ROOT = join(import.meta.dir, "../..");
const RULES = "deploy/monitoring/alerts.yml";
const promtool = (...words: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...words], { cwd: ROOT });
  return { exitCode, said: `${stdout}${stderr}` };
};

test("the documentation's configuration scrapes the jobs that the rules name, and loads the rules", () => {
  const [, text = ""] = /^ {4}# prometheus\.yml\n((?: {4}.*\n)+)/m.exec(docs()) ?? [];
  const { rule_files, scrape_configs } = Bun.YAML.parse(text) as {
    rule_files: string[];
    scrape_configs: { job_name: string }[];
  };
  expect(rule_files).toEqual([`/opt/berth/${RULES}`]);
  const jobs = scrape_configs.map(({ job_name }) => job_name);
  expect(jobs).toContain("node");
  const named = readFileSync(join(ROOT, RULES), "utf8").matchAll(/job!?="([^"]+)"/g);
  for (const [, job = ""] of named) expect(jobs).toContain(job);
});

test.skipIf(Bun.which("promtool") === null)(
  "promtool takes the rules, and they fire when they should",
  () => {
    expect(promtool("check", "rules", RULES)).toMatchObject({ exitCode: 0 });
    const { exitCode, said } = promtool("test", "rules", "test/deploy/alerts.yml");
    expect(said).toContain("SUCCESS");
    expect(exitCode).toBe(0);
  },
);

const docs = (): string => readFileSync(join(ROOT, "docs/operations.md"), "utf8");
