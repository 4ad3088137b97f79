import { listHostFacts } from "../../actors/hosting/host/queries.ts";
import { listGatewaySessions } from "../../actors/platform/db/gateway-sessions/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { readClusterView } from "../../actors/runtime/store/cluster/queries.ts";
import { type Finding, named, ok, warning } from "./finding.ts";

/** A process of the installation. Those of a version that did not say it have none. */
interface Process {
  readonly name: string;
  readonly version: string | null;
}

const CHECK = "versions";
const ORDER =
  "finish the upgrade: restart actor hosts, then gateways, then agents, one at a time (docs/operations/upgrades.md)";

/** Whether all processes of an installation have one version. @param own that of this program */
export async function checkVersions(db: Sql, own: string): Promise<Finding[]> {
  const { hosts } = await readClusterView(db);
  const gateways = await listGatewaySessions(db);
  const agents = await listHostFacts(db);
  return [
    judgeVersions(
      [
        ...hosts.map(({ host, status }) => ({
          name: `actor host ${host}`,
          version: status?.version ?? null,
        })),
        ...gateways.map(({ machine, version }) => ({ name: `gateway ${machine}`.trim(), version })),
        ...agents.flatMap(({ name, facts }) =>
          facts === null ? [] : [{ name: `agent ${name}`, version: facts.agent_version }],
        ),
      ],
      own,
    ),
  ];
}

/** @param own expected of all where one of them has it; otherwise the version that most have */
export function judgeVersions(processes: readonly Process[], own: string): Finding {
  if (processes.length === 0) return ok(CHECK, "no process is seen");
  const expected = processes.some(({ version }) => version === own) ? own : mostFrequent(processes);
  const others = processes.filter(({ version }) => version !== expected);
  if (others.length > 0)
    return warning(
      CHECK,
      `${expected} runs, and not everywhere: ${named(others.map(({ name, version }) => `${name} (${version ?? "an earlier one"})`))}`,
      ORDER,
    );
  if (expected !== own)
    return warning(
      CHECK,
      `all processes are of ${expected}, and this command of ${own}`,
      "restart them where this version is installed, actor hosts first, or run the command of theirs (docs/operations/upgrades.md)",
    );
  return ok(CHECK, `all processes are of ${own}`);
}

function mostFrequent(processes: readonly Process[]): string | null {
  const groups = [...Map.groupBy(processes, ({ version }) => version)];
  const [first] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  return first?.[0] ?? null;
}
