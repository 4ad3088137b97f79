import { expect, test } from "bun:test";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { newWindow, shown } from "../page/chromium.ts";
import { keptService } from "./hosted-service.ts";

test.skipIf(lacks("linux", "chromium"))(
  "a page that stays open comes back by itself, as it was and with what was written meanwhile",
  async () => {
    await using service = await keptService();
    const { page, complaints } = await newWindow();
    const shows = (text: string | RegExp) => until(async () => new RegExp(text).test(await shown(page)));
    const state = (name: string) => page.waitForSelector(`.app[data-state="${name}"]`);

    await page.goto(`${service.origin}/?terminal_id=7`);
    await state("connected");
    await page.keyboard.type(
      "mark=kept; for n in $(seq 100); do echo n$n; sleep 0.05; done; echo all''shown\n",
    );
    await shows("n10\n");
    // Whoever loads the page again would not have this any more.
    await page.evaluate(() => Object.assign(globalThis, { same: "page" }));
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await service.stop(signal);
      await state("waiting");
      await service.start();
      await state("connected");
    }
    await shows("allshown");
    await page.keyboard.type("clear; echo still $mark, on one $((6*7))\n");
    await shows(/^still kept, on one 42\n/m);
    expect(await page.evaluate(() => (globalThis as unknown as { same: string }).same)).toBe("page");
    expect(complaints.filter((one) => !one.includes("Failed to load resource"))).toEqual([]);

    // A page that only watches goes on watching.
    await page.goto(`${service.origin}/?terminal_id=7&readonly`);
    await state("connected");
    await service.stop("SIGKILL");
    await state("waiting");
    await service.start();
    await state("connected");
    await shows("still kept");
    await page.keyboard.type("exit\n");
    const other = await service.open();
    other.type("echo watch''ed\n");
    await shows("watched");

    // How it ended while nobody served it is said as well.
    await page.goto(`${service.origin}/?terminal_id=7`);
    await state("connected");
    other.close();
    await page.keyboard.type("echo go''ing; read -rt 1 x; exit 5\n");
    await shows("going");
    await service.stop("SIGKILL");
    await until(() => service.programs().length === 0);
    await service.start();
    await state("ended");
    expect(await page.textContent(".status")).toContain("ended with status 5");
  },
);
