import { account, credit, EMPTY_WALLET, transfer } from "../../actors/billing/wallet/rules.ts";
import { fromCents, fromMicros, MICROS_PER_CENT, toCents } from "../../actors/platform/money.ts";
import type { Row } from "../../actors/runtime/definition.ts";
import { amountOf, describe, type Receipt, storedReceipt } from "./attempts.ts";
import { type Cluster, FEE_BPS } from "./cluster.ts";
import { auditMarket } from "./market-audit.ts";
import { isCalm, sendsNothingLate } from "./plan.ts";
import type { Shopping } from "./shopping.ts";
import type { Tables } from "./tables.ts";
import type { Witness } from "./witness.ts";

/** What must hold of the database when all is quiet again. Answers each breach as a line. */
export function audit(
  cluster: Cluster,
  { attempts }: Witness,
  { topUps }: Pick<Shopping, "topUps">,
): string[] {
  return [
    ...fencing(cluster),
    ...histories(cluster),
    ...money(cluster),
    ...effects(cluster),
    ...answers(cluster, attempts),
    ...(cluster.plan.market === null ? [] : auditMarket(cluster, cluster.plan.market, topUps)),
  ];
}

/** No commit of an owner whose lease was over, no epoch with two owners, and no going back to an earlier one. */
export function* fencing({ database }: Cluster): Generator<string> {
  const latest = new Map<number, { epoch: number; owner: string }>();
  for (const { atMs, commit, underItsLeases } of database.applied) {
    if (!underItsLeases) yield `at ${atMs.toFixed(3)} ${commit.owner} committed under a lease that was over`;
    for (const { partition, epoch } of commit.leases) {
      const before = latest.get(partition);
      if (before?.epoch === epoch && before.owner !== commit.owner) {
        yield `${before.owner} and ${commit.owner} committed in epoch ${epoch} of partition ${partition}`;
      }
      if (before !== undefined && before.epoch > epoch) {
        yield `epoch ${epoch} of partition ${partition} has commits after epoch ${before.epoch}`;
      }
      latest.set(partition, { epoch, owner: commit.owner });
    }
  }
}

const walletReceipts = (tables: Tables): Row[] =>
  [...tables.all("receipts")].filter(({ key }) => String(key).startsWith("wallet."));

/** Each wallet's receipts, in the order of their versions, are a history of the rules that ends in its row. */
function* histories({ database: { tables } }: Cluster): Generator<string> {
  const receipts = Map.groupBy(walletReceipts(tables), (row) => String(row.actor_id));
  for (const [user, rows] of receipts) {
    rows.sort((a, b) => Number(a.actor_version) - Number(b.actor_version));
    let state = EMPTY_WALLET;
    for (const [i, { actor_version: version, reply, key }] of rows.entries()) {
      if (version !== i + 1) yield `version ${i + 1} of ${user} is ${version}`;
      const receipt = reply as Receipt & { ai_balance?: string };
      const cents = toCents(amountOf(receipt));
      try {
        state = String(key).startsWith("wallet.credit:")
          ? credit(state, user, cents).wallet
          : transfer(state, user, cents, FEE_BPS, undefined).wallet;
      } catch (error) {
        yield `version ${version} of ${user} could not be: ${error}`;
      }
      if (receipt.general_balance !== fromCents(state.generalCents)) {
        yield `version ${version} of ${user} saw a balance of ${receipt.general_balance}, not ${fromCents(state.generalCents)}`;
      }
      if (receipt.ai_balance !== undefined && receipt.ai_balance !== fromMicros(state.aiLimitMicros)) {
        yield `version ${version} of ${user} saw AI credit of ${receipt.ai_balance}`;
      }
    }
    const row = tables.get("wallets", user);
    if (row?.general_cents !== state.generalCents || row.ai_limit_micros !== state.aiLimitMicros) {
      yield `${user} has ${row?.general_cents} cents, and its history gives ${state.generalCents}`;
    }
    if (row?.version !== rows.length)
      yield `${user} is at version ${row?.version} after ${rows.length} operations`;
  }
}

/** The ledger's postings sum to the balances, and every change has its transaction and its event once. */
function* money({ database: { tables } }: Cluster): Generator<string> {
  const sums = new Map<string, bigint>();
  const post = (name: string, micros: bigint) => sums.set(name, (sums.get(name) ?? 0n) + micros);
  for (const row of tables.all("movements")) {
    post(String(row.from_account), -(row.amount_micros as bigint));
    post(String(row.to_account), row.amount_micros as bigint);
  }
  for (const row of tables.all("wallets")) {
    const user = String(row.user_id);
    const general = sums.get(account.general(user)) ?? 0n;
    const ai = sums.get(account.ai(user)) ?? 0n;
    if (general !== (row.general_cents as bigint) * MICROS_PER_CENT || ai !== row.ai_limit_micros) {
      yield `the ledger has ${general} and ${ai} for ${user}, its row ${row.general_cents} cents and ${row.ai_limit_micros}`;
    }
  }
  const total = [...sums.values()].reduce((sum, micros) => sum + micros, 0n);
  if (total !== 0n) yield `the postings sum to ${total}`;
  const counts = [
    walletReceipts(tables).length,
    ...["transactions", "events", "outbox"].map((name) => tables.count(name)),
  ];
  if (new Set(counts).size !== 1) yield `receipts, transactions, events and effects are ${counts.join(", ")}`;
}

/** Numbers of effects have no gaps, and all arrived, in their order. */
function* effects({ database: { tables }, stream }: Cluster): Generator<string> {
  const rows = Map.groupBy(tables.all("outbox"), (row) => Number(row.partition));
  for (const [partition, committed] of rows) {
    committed.sort((a, b) => Number(a.seq) - Number(b.seq));
    const gap = committed.findIndex((row, i) => row.seq !== i + 1);
    if (gap !== -1) yield `effect ${gap + 1} of partition ${partition} is missing`;
    const arrived = stream.firsts.get(partition) ?? [];
    const wrong = committed.findIndex(({ seq, body }, i) => {
      return arrived[i]?.seq !== seq || JSON.stringify(arrived[i]?.body) !== JSON.stringify(body);
    });
    if (wrong !== -1)
      yield `effect ${wrong + 1} of partition ${partition} came as ${arrived[wrong]?.seq ?? "nothing"}`;
    if (arrived.length > committed.length) yield `partition ${partition} delivered what was not committed`;
  }
}

/** What was answered happened, what was refused did not, and nothing that nobody asked for. */
function* answers(cluster: Cluster, attempts: Witness["attempts"]): Generator<string> {
  const asked = Map.groupBy(
    attempts,
    ({ operation: { wallet, op, key } }) => `${wallet}\0wallet.${op}:${key}`,
  );
  for (const row of walletReceipts(cluster.database.tables)) {
    const amount = amountOf(row.reply as Receipt);
    const own = asked
      .get(`${row.actor_id}\0${row.key}`)
      ?.filter((one) => fromCents(one.operation.cents) === amount);
    if (own === undefined || own.length === 0)
      yield `nobody asked for ${row.key} of ${amount} on ${row.actor_id}`;
    const isRefused = own?.every(({ outcome }) => outcome?.kind === "refused");
    if (isRefused && sendsNothingLate(cluster.plan))
      yield `${row.key} on ${row.actor_id} was refused, and happened`;
  }
  for (const { operation, outcome } of attempts) {
    if (outcome === undefined) yield `${describe(operation)} was never answered`;
    if (outcome?.kind === "done" && storedReceipt(cluster, operation) === undefined) {
      yield `${describe(operation)} was acknowledged, and is lost`;
    }
    if (outcome?.kind === "unknown" && isCalm(cluster.plan))
      yield `${describe(operation)} failed in calm weather`;
  }
}
