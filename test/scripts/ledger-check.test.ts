import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../actors/platform/ids.ts";
import { embeddedRoles, prepareDatabase } from "../../scripts/database-roles.ts";
import { ledgerCheck } from "../../scripts/ledger-check.ts";
import { loadSecrets } from "../../scripts/secrets.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { freePort, migratedDatabase, startOwnPostgres, temporaryFolder } from "../harness/servers.ts";

const ROOT = join(import.meta.dir, "../..");

/** Runs the command as an operator does. */
async function check(env: Record<string, string>): Promise<{ code: number; said: string; failed: string }> {
  const child = Bun.spawn([process.execPath, "scripts/berth.ts", "ledger-check"], {
    cwd: ROOT,
    env: { ...CLEAN_ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, failed] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, said, failed };
}

describe("the ledger of a cluster", () => {
  let stack: EmbeddedStack;
  let user: TestUser;
  let chargeId: string;
  beforeAll(async () => {
    stack = await startEmbeddedStack();
    user = await stack.user({ balance: "500" });
    const wallet = stack.actors.wallet(user.id);
    await wallet.transfer({ amount: "25.50" });
    await wallet.transfer({ amount: "0.01" });
    const charged = { amount_cents: 1_999, transaction_type: "rental", reason: "A month" } as const;
    chargeId = (await wallet.charge(charged)).value.transaction_id;
    await wallet.refund({ amount_cents: 999, charge_transaction_id: chargeId, reason: "Half" });
    await wallet.deposit({ amount_cents: 5_000, source: "cryptopay", reason: "Top-up" });
    const issued = await stack.call("POST", `/api/v1/wallet/invoices/generate/${chargeId}`, {
      token: user.token,
    });
    expect(issued.status).toBe(201);
  });
  afterAll(() => stack.stop());

  /** The command without a process of its own. */
  async function said(): Promise<{ isWell: boolean; lines: string }> {
    const lines: string[] = [];
    const isWell = await ledgerCheck({ DATABASE_URL: stack.databaseUrl }, (line) => lines.push(line));
    return { isWell, lines: `${lines.join("\n")}\n` };
  }

  /** What the command says while the ledger is broken; it must have nothing to say once it is mended. */
  async function whileBroken(
    breakIt: () => Promise<unknown>,
    mendIt: () => Promise<unknown>,
  ): Promise<string> {
    await breakIt();
    const { isWell, lines } = await said().finally(mendIt);
    expect(isWell).toBe(false);
    expect(await said()).toMatchObject({ isWell: true });
    return lines;
  }

  /** The ledger is append-only: only who may switch that off can break it. */
  const tamper = async (statement: string, parameters: (string | number)[]) => {
    await stack.db.begin(async (tx) => {
      await tx`SET LOCAL session_replication_role = replica`;
      await tx.unsafe(statement, parameters);
    });
  };
  const addToWallet = (cents: number, micros: number) =>
    stack.db`
      UPDATE wallets SET general_cents = general_cents + ${cents}, ai_limit_micros = ai_limit_micros + ${micros}
      WHERE user_id = ${user.id}`;
  const addWallets = (name: string, count: number) =>
    stack.db`
      INSERT INTO wallets (user_id, version, general_cents, ai_limit_micros, updated_at)
      SELECT ${name}::text || n, 1, 5, 0, now() FROM generate_series(1, ${count}::int) n`;
  const removeWallets = (name: string) => stack.db`DELETE FROM wallets WHERE user_id LIKE ${`${name}%`}`;
  const changeCharge = (cents: number, type: string) =>
    tamper("UPDATE transactions SET amount_cents = amount_cents + $1, transaction_type = $2 WHERE id = $3", [
      cents,
      type,
      chargeId,
    ]);
  /** A movement of that many cents under a transaction that is there, and the balances raised to match. */
  const forge = async (transactionId: string, from: string, to: string, cents: number) => {
    const id = newId();
    await stack.db`
      INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
      VALUES (${id}, ${transactionId}, ${user.id}, ${from}, ${to}, ${cents * 10_000}, now())`;
    return id;
  };
  const unforge = (id: string) => tamper("DELETE FROM movements WHERE id = $1", [id]);
  const transactionOf = async (type: string): Promise<string> => {
    const [row] = await stack.db<{ id: string }[]>`
      SELECT id FROM transactions WHERE user_id = ${user.id} AND transaction_type = ${type} ORDER BY id LIMIT 1`;
    if (row === undefined) throw new Error(`no ${type}`);
    return row.id;
  };

  test("is proved after every kind of movement, and each rule is named", async () => {
    const { code, said } = await check({ DATABASE_URL: stack.databaseUrl });
    expect(code).toBe(0);
    expect(said).toStartWith("ledger: 1 wallets, 6 transactions, 14 postings\n");
    expect(said.match(/^ {2}holds {3}\S/gm)).toHaveLength(8);
    expect(said).toEndWith("ledger: proved\n");
  });

  test("that is not proved ends the command with 1", async () => {
    await addWallets("ghost", 1);
    const { code, said } = await check({ DATABASE_URL: stack.databaseUrl });
    await removeWallets("ghost");
    expect(code).toBe(1);
    expect(said).toEndWith("ledger: NOT proved\n");
  });

  test("is not proved while a balance differs: the wallet is named with both figures", async () => {
    const general = await whileBroken(
      () => addToWallet(1, 0),
      () => addToWallet(-1, 0),
    );
    expect(general).toContain(`general:${user.id} holds 514.500000, its postings say 514.490000\n`);
    expect(general).not.toContain("ai:");
    const ai = await whileBroken(
      () => addToWallet(0, -1),
      () => addToWallet(0, 1),
    );
    expect(ai).toContain(`ai:${user.id} holds 24.229999, its postings say 24.230000\n`);
    expect(ai).not.toContain("general:");
  });

  test("is not proved while a wallet is missing, or has money from nowhere", async () => {
    const [row] = await stack.db`SELECT * FROM wallets WHERE user_id = ${user.id}`;
    const missing = await whileBroken(
      () => removeWallets(user.id),
      () => stack.db`INSERT INTO wallets ${stack.db(row as Record<string, string>)}`,
    );
    expect(missing).toContain(`general:${user.id} holds 0.000000, its postings say 514.490000\n`);
    const ghost = await whileBroken(
      () => addWallets("ghost", 1),
      () => removeWallets("ghost"),
    );
    expect(ghost).toContain("general:ghost1 holds 0.050000, its postings say 0.000000\n");
  });

  test("is not proved while a transaction is of another amount, or the other way, than its movements", async () => {
    const amount = await whileBroken(
      () => changeCharge(5, "rental"),
      () => changeCharge(-5, "rental"),
    );
    expect(amount).toContain(
      `transaction ${chargeId} (rental) is of 20.04, its movements come to -19.990000\n`,
    );
    const turned = await whileBroken(
      () => changeCharge(0, "refund"),
      () => changeCharge(0, "rental"),
    );
    expect(turned).toContain(`transaction ${chargeId} (refund) is of 19.99`);
  });

  test("is not proved while a charge is refunded by more than it was, or a refund is of no charge", async () => {
    const more = await whileBroken(
      () => changeCharge(-1_100, "rental"),
      () => changeCharge(1_100, "rental"),
    );
    expect(more).toContain(`transaction ${chargeId} is of 8.99, and 9.99 are refunded\n`);
    const turned = await whileBroken(
      () => changeCharge(0, "top_up"),
      () => changeCharge(0, "rental"),
    );
    expect(turned).toMatch(new RegExp(`transaction \\w+ \\(refund\\) is no refund of ${chargeId}\n`));
  });

  test("is not proved while a movement has no transaction, or one of another user", async () => {
    const [stray, transaction] = [newId(), newId()];
    const alone = await whileBroken(
      () => stack.db`
        INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
        VALUES (${stray}, ${transaction}, ${user.id}, 'platform:sales', 'platform:fees', 5, now())`,
      () => tamper("DELETE FROM movements WHERE id = $1", [stray]),
    );
    expect(alone).toContain(`movement ${stray} of transaction ${transaction}\n`);
    const anothers = await whileBroken(
      () => tamper("UPDATE movements SET user_id = 'x' WHERE transaction_id = $1", [chargeId]),
      () => tamper("UPDATE movements SET user_id = $2 WHERE transaction_id = $1", [chargeId, user.id]),
    );
    expect(anothers).toContain(`of transaction ${chargeId}\n`);
  });

  test("is not proved while a transaction has no movement", async () => {
    const id = newId();
    const said = await whileBroken(
      () => stack.db`
        INSERT INTO transactions (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
        VALUES (${id}, ${user.id}, 'credit', 'completed', 5, 'USD', 'x', now(), now())`,
      () => tamper("DELETE FROM transactions WHERE id = $1", [id]),
    );
    expect(said).toContain(`transaction ${id} (credit) is of 0.05, its movements come to 0.000000\n`);
  });

  test("is not proved while a movement is none that its transaction's type makes, though all sums are right", async () => {
    const transfer = await transactionOf("ai_credit_transfer");
    const [general, ai] = [`general:${user.id}`, `ai:${user.id}`];
    let forged: string[] = [];
    const lifted = await whileBroken(
      async () => {
        forged = [await forge(transfer, "platform:fees", ai, 700)];
        await addToWallet(0, 7_000_000);
      },
      async () => {
        for (const id of forged) await unforge(id);
        await addToWallet(0, -7_000_000);
      },
    );
    expect(lifted).toContain(
      `movement ${forged[0]} of transaction ${transfer} (ai_credit_transfer): platform:fees to ${ai}\n`,
    );
    const kinds: [string, string, string][] = [
      ["credit", "source:cardpay", general],
      ["top_up", "platform:grants", general],
      ["top_up", "source:codehost_bonus", general],
      ["refund", "platform:fees", general],
      ["rental", general, "platform:fees"],
    ];
    for (const [type, from, to] of kinds) {
      const transaction = await transactionOf(type);
      const said = await whileBroken(
        async () => {
          // There and back again: nothing is left of it in any sum.
          forged = [await forge(transaction, from, to, 5), await forge(transaction, to, from, 5)];
        },
        async () => {
          for (const id of forged) await unforge(id);
        },
      );
      expect(said).toContain(`of transaction ${transaction} (${type}): ${from} to ${to}\n`);
    }
  });

  test("is not proved while a movement is there twice, its amount cut in two", async () => {
    const transfer = await transactionOf("ai_credit_transfer");
    const cut = (cents: number) =>
      tamper(
        "UPDATE movements SET amount_micros = amount_micros - $1 WHERE transaction_id = $2 AND to_account LIKE 'ai:%'",
        [cents * 10_000, transfer],
      );
    let second = "";
    const said = await whileBroken(
      async () => {
        await cut(5);
        second = await forge(transfer, `general:${user.id}`, `ai:${user.id}`, 5);
      },
      async () => {
        await unforge(second);
        await cut(-5);
      },
    );
    expect(said).toContain(
      `transaction ${transfer} has 2 movements from general:${user.id} to ai:${user.id}\n`,
    );
  });

  test("is not proved while an invoice has a number that none should have, or one that is another's", async () => {
    const [invoice] = await stack.db<{ id: string; invoice_number: string }[]>`
      SELECT id, invoice_number FROM invoices`;
    if (invoice === undefined) throw new Error("no invoice");
    const { invoice_number: number, id } = invoice;
    const year = number.slice(4, 8);
    const renumber = (to: string) => stack.db`UPDATE invoices SET invoice_number = ${to} WHERE id = ${id}`;
    for (const [wrong, breach] of [
      [`INV-${year}-000000`, `INV-${year}-000000 is where number 1 of INV-${year} should be`],
      [`INV-${year}-000002`, `INV-${year}-000002 is where number 1 of INV-${year} should be`],
      [`CN-${year}-000001`, `CN-${year}-000001 is the number of another kind of document`],
      [`INV-1999-000001`, "INV-1999-000001 was issued in another year"],
      [`INV-${year}-1`, `INV-${year}-1 is no number of an invoice`],
      ["INV-x-y", "INV-x-y is no number of an invoice"],
    ] as const) {
      const said = await whileBroken(
        () => renumber(wrong),
        () => renumber(number),
      );
      expect(said).toContain(`${breach}\n`);
    }
  });

  test("is not proved while a number between two is missing, though the book and the count agree", async () => {
    const issue = (id: string) =>
      stack.call("POST", `/api/v1/wallet/invoices/generate/${id}`, { token: user.token });
    for (const type of ["refund", "top_up"]) {
      expect((await issue(await transactionOf(type))).status).toBe(201);
    }
    const [second] = await stack.db<{ id: string; invoice_number: string }[]>`
      SELECT id, invoice_number FROM invoices ORDER BY invoice_number OFFSET 1 LIMIT 1`;
    if (second === undefined) throw new Error("no second invoice");
    const year = second.invoice_number.slice(4, 8);
    const said = await whileBroken(
      () => stack.db`UPDATE invoices SET invoice_number = ${`INV-${year}-000000`} WHERE id = ${second.id}`,
      () => stack.db`UPDATE invoices SET invoice_number = ${second.invoice_number} WHERE id = ${second.id}`,
    );
    expect(said).toContain(`INV-${year}-000002 is where number 1 of INV-${year} should be\n`);
  });

  test("is not proved while the books of invoices are gone", async () => {
    const books = await stack.db`SELECT * FROM invoice_books`;
    const said = await whileBroken(
      () => stack.db`DELETE FROM invoice_books`,
      () => stack.db`INSERT INTO invoice_books ${stack.db(books as unknown as Record<string, string>[])}`,
    );
    expect(said).toMatch(/there is no book of INV-\d{4}, and there are 2 invoices, the last of them 2\n/);
  });

  test("is not proved while a number of an invoice is missing", async () => {
    const said = await whileBroken(
      () => stack.db`UPDATE invoice_books SET last_number = 4 WHERE series LIKE 'INV-%'`,
      () => stack.db`UPDATE invoice_books SET last_number = 2 WHERE series LIKE 'INV-%'`,
    );
    expect(said).toMatch(/the book of INV-\d{4} is at 4 and has 2 invoices, the last of them 2\n/);
  });

  test("tells of the first fifty breaches, and how many there are", async () => {
    const said = await whileBroken(
      () => addWallets("ghost", 75),
      () => removeWallets("ghost"),
    );
    expect(said).toContain("every balance is the sum of its postings: 75\n");
    expect(said.match(/general:ghost/g)).toHaveLength(50);
    expect(said).toContain("and 25 more\n");
  });
});

test("without DATABASE_URL the database of the data folder is looked at, where one runs", async () => {
  const data = temporaryFolder();
  const none = await check({ BERTH_DATA: data });
  expect([none.code, none.failed]).toEqual([
    2,
    `berth: no Berth runs in BERTH_DATA=${data}: start it, name its folder, or set DATABASE_URL\n`,
  ]);
  mkdirSync(data, { recursive: true });
  const secrets = loadSecrets(data);
  const server = await startOwnPostgres({
    dir: join(data, "postgres"),
    port: await freePort(),
    password: secrets.postgres,
  });
  await prepareDatabase(await embeddedRoles(server.url, secrets));
  expect(await check({ BERTH_DATA: data })).toMatchObject({
    code: 0,
    said: expect.stringContaining("ledger: 0 wallets, 0 transactions, 0 postings"),
  });
  await server.stop();
  expect((await check({ BERTH_DATA: data })).code).toBe(2);
});

test("a database that is not there, and a command that is none, are answered with one clear line", async () => {
  const port = await freePort();
  const away = await check({ DATABASE_URL: `postgres://berth:secret@127.0.0.1:${port}/berth` });
  expect(away.code).toBe(2);
  expect(away.failed).toContain("DATABASE_URL: no PostgreSQL at");
  expect(away.failed).not.toContain("secret");
  const database = await migratedDatabase();
  const wrong = new URL(database.urls.gateway);
  wrong.password = "hunter2";
  expect(await check({ DATABASE_URL: wrong.href })).toEqual({
    code: 2,
    said: "",
    failed: `berth: DATABASE_URL: PostgreSQL at ${wrong.host} refuses: password authentication failed for user "berth_gateway": correct the user, the password or the rest of DATABASE_URL\n`,
  });
  await database.drop();
  const child = Bun.spawnSync([process.execPath, "scripts/berth.ts", "zzz"], { cwd: ROOT });
  expect([child.exitCode, child.stderr.toString()]).toEqual([2, expect.stringContaining("unknown command")]);
});
