import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "../../harness/until.ts";
import { holdingGateway } from "./held-gateway.ts";
import { CTRL_C, inTerminal, type Place } from "./in-terminal.ts";
import type { commandLine } from "./run.ts";

/** More than any transfer of a test moves before it is interrupted. */
const LARGE_BYTES = 4 * 2 ** 30;
const INTERRUPTED = 130;
const MOVING = /MiB of 4\.0 GiB, /;

interface Running extends Place {
  readonly cli: ReturnType<typeof commandLine>;
  readonly env: Readonly<Record<string, string>>;
  /** A folder in the container `web`. */
  readonly base: string;
  readonly server: string;
}

/** Ctrl-C in a terminal, while a command works: nothing half done is left, on either side. */
export function testInterrupts(running: () => Running): void {
  const ok = (line: string) => running().cli.ok(line, { env: running().env });
  const run = (line: string) => running().cli.run(line, { env: running().env });
  const local = (name: string) => join(running().folder, name);
  const parts = () => readdirSync(running().folder).filter((name) => /part$|berth-copy/.test(name));
  const start = (line: string, place: Place = running()) => inTerminal(place, line.split(" "));
  const names = async (pattern: string) =>
    (await ok(`exec web -- find ${running().base} -name ${pattern}`)).out;

  describe("Ctrl-C", () => {
    beforeAll(async () => {
      const file = openSync(local("large"), "w");
      ftruncateSync(file, LARGE_BYTES);
      closeSync(file);
      await ok(`exec web -- truncate -s 4G ${running().base}/large`);
    });

    test("in an upload leaves nothing of the file in the container", async () => {
      const copying = start(`cp ${local("large")} web:${running().base}/copy`);
      await copying.shows(MOVING);
      copying.type(CTRL_C);
      expect(await copying.exited).toBe(INTERRUPTED);
      await until(async () => (await names(".berth-upload-*")) === "");
      expect(await names("copy")).toBe("");
    });

    test("in a download leaves nothing here", async () => {
      const copying = start(`cp web:${running().base}/large ${local("copy")}`);
      await copying.shows(MOVING);
      copying.type(CTRL_C);
      expect(await copying.exited).toBe(INTERRUPTED);
      expect([existsSync(local("copy")), parts()]).toEqual([false, []]);
    });

    test("at the sender of the pipe breaks the transfer for the receiver, who keeps nothing", async () => {
      const receiving = run(`pipe recv web interrupted/send ${local("received")}`);
      const sending = start(`pipe send web interrupted/send ${local("large")}`);
      await sending.shows(MOVING);
      sending.type(CTRL_C);
      expect(await sending.exited).toBe(INTERRUPTED);
      expect((await receiving).status).toBeGreaterThan(0);
      expect([existsSync(local("received")), parts()]).toEqual([false, []]);
    });

    test("at the receiver of the pipe keeps nothing, and the sender is told", async () => {
      const sending = run(`pipe send web interrupted/recv ${local("large")}`);
      const receiving = start(`pipe recv web interrupted/recv ${local("received")}`);
      await receiving.shows(/MiB(?: of 4\.0 GiB)?, /);
      receiving.type(CTRL_C);
      expect(await receiving.exited).toBe(INTERRUPTED);
      const { status, err } = await sending;
      expect([status, err]).toEqual([1, expect.stringContaining("receivers disconnected")]);
      expect([existsSync(local("received")), parts()]).toEqual([false, []]);
    });

    test("ends a forwarded port", async () => {
      const forwarding = start("port-forward web 0:80");
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(await forwarding.shows(/127\.0\.0\.1:\d+ leads/)) ?? [];
      forwarding.type(CTRL_C);
      expect(await forwarding.exited).toBe(0);
      await new Promise((resolve) => connect(Number(port), "127.0.0.1").once("error", resolve));
    });

    describe("while a reply is awaited", () => {
      let gateway: ReturnType<typeof holdingGateway>;
      beforeAll(() => {
        gateway = holdingGateway(running().url);
      });
      afterAll(() => gateway?.stop());
      /** A sign-in is not sent to another address: a token is. */
      const place = async (): Promise<Place> => {
        const permissions = "--permission resources.read resources.write wallet.read";
        const token = (await ok(`token create held-${crypto.randomUUID()} ${permissions}`)).out.trim();
        return { ...running(), url: gateway.url, env: { ...running().env, BERTH_TOKEN: token } };
      };

      test("saves no part of an invoice", async () => {
        const [invoice] = (await ok("--json invoices list")).json;
        gateway.hold(/pdf$/);
        const saving = start(`invoices pdf ${invoice.id} -o ${local("held.pdf")}`, await place());
        await until(gateway.isHolding);
        saving.type(CTRL_C);
        expect(await saving.exited).toBe(INTERRUPTED);
        gateway.release();
        expect([existsSync(local("held.pdf")), parts()]).toEqual([false, []]);
      });

      test("finishes the present change of `up`, and the next run goes on from there", async () => {
        const service = (name: string) => `  ${name}: { entrypoint: [sleep, infinity] }`;
        const text = `name: held\nx-berth: { server: ${running().server} }\nservices:\n${service("one")}\n${service("two")}\n`;
        writeFileSync(local("held.yaml"), text);
        gateway.hold(/^POST .*containers$/);
        const making = start(`up -f ${local("held.yaml")}`, await place());
        await making.shows("Make these changes");
        making.type("y\r");
        await until(gateway.isHolding);
        making.type(CTRL_C);
        await making.shows("finished first");
        gateway.release();
        await making.shows("2 of 3 changes are made");
        expect(await making.exited).toBe(INTERRUPTED);
        expect((await ok(`up -f ${local("held.yaml")} --yes`)).err).toBe(
          `+ container two of its server's own programs on ${running().server}\n`,
        );
        await ok(`down -f ${local("held.yaml")} --yes`);
        await ok("projects delete held --yes");
      });
    });
  });
}
