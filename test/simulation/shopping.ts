import type { CallOptions, CallReply } from "../../actors/runtime/transport/caller.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { CallerMember, Cluster } from "./cluster.ts";
import type { Market } from "./plan.ts";

const PRICE_MAX = 25;
const TOP_UP_MAX = 30;
/** Some are gone before the till can have answered, some never while all goes well. */
const PATIENCE_MS = [1, 20, 300, 3_000];
const PATIENT = 0.4;
const RING_MS = [0, 5, 50, 500, 2_000];
const TIMERS = 2;
const KEYED = 0.75;
const RETRIES = 0.4;
const ASKS_AGAIN = 0.15;
const USES_AGAIN = 0.08;
const SETTLING_DEADLINE_MS = 10_000;
/** The last timers are due when hung connections are noticed, and all must be in time. */
const LAST_TIMER_MS = 4_000;
/** In some seeds a host dies while the last timers wait. */
const LAST_FAILOVER = 0.3;
const LAST_FAILOVER_MS = 1_500;

/** A request to an actor of the market. The same key with another input is another one. */
interface Request {
  readonly kind: "shop" | "till" | "alarm";
  readonly actor: string;
  readonly op: string;
  readonly input: Readonly<Record<string, string | number>>;
  readonly key: string;
  readonly hasClientKey: boolean;
}

type Outcome = { readonly value: object } | { readonly code: string } | undefined;

type AnyClient = Record<
  string,
  (id: string) => Record<string, (input: object, options: CallOptions) => Promise<CallReply<object>>>
>;

/** Clients that buy, pay money in and set alarms, ask again when they got no answer, and sometimes when they did. */
export class Shopping {
  /** What clients wanted of tills, by key: only what is stored under one happened. */
  readonly topUps = new Map<string, number>();
  #left = 0;
  #underWay = 0;
  #keys = 0;
  readonly #shops: string[];
  readonly #tills: string[];
  readonly #alarms: string[];
  readonly #unclear = new Map<string, Request>();
  readonly #settled: Request[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly violations: string[],
  ) {
    const { market, clients } = cluster.plan;
    this.#shops = names("shop", market?.shops);
    this.#tills = names("till", market?.tills);
    this.#alarms = names("alarm", market?.alarms);
    if (market === null) return;
    this.#open(market);
    this.#left = market.operations;
    for (let client = 0; client < clients; client++) this.#next();
  }

  get isDone(): boolean {
    return this.#left <= 0 && this.#underWay === 0;
  }

  /** Asks for each request until it has a clear outcome, and for timers and sales that must come by themselves now. */
  settle(): void {
    const { scheduler } = this.cluster;
    for (const request of this.#unclear.values()) this.#untilClear(request);
    for (const shop of this.#shops)
      this.#untilClear({ ...this.#purchase(), actor: shop, hasClientKey: true });
    for (const actor of this.#alarms) {
      const in_ms = LAST_TIMER_MS + scheduler.random.integer(LAST_TIMER_MS / 4);
      this.#untilClear(this.#request("alarm", actor, "set", { name: "last", in_ms }, true));
    }
    if (this.#alarms.length === 0 || !scheduler.random.chance(LAST_FAILOVER)) return;
    scheduler.after(scheduler.random.next() * LAST_FAILOVER_MS, "last failover", () =>
      this.cluster.killHost(scheduler.random.pick(this.cluster.hosts)),
    );
  }

  #open({ stock, money }: Market): void {
    const shops = this.#shops.map((id) => ({ id, version: 1, stock, sold: 0, lapsed: 0, late: 0 }));
    const tills = this.#tills.map((id) => ({ id, version: 1, money }));
    const insertion = (insert: object[]) => ({ insert: insert as never[], update: [], remove: [] });
    this.cluster.database.tables.write(
      new Map([
        ["shops", insertion(shops)],
        ["tills", insertion(tills)],
      ]),
    );
  }

  #next(): void {
    const { scheduler, plan } = this.cluster;
    scheduler.after(scheduler.random.around(plan.thinkMs), "shopper", () => {
      if (this.#left <= 0) return;
      this.#left -= 1;
      this.#ask(this.#choose(), plan.deadlineMs, (request, outcome) => {
        if (outcome !== undefined) this.#unclear.delete(request.key);
        else if (request.hasClientKey) this.#unclear.set(request.key, request);
        if (outcome !== undefined && request.hasClientKey) this.#settled.push(request);
        this.#next();
      });
    });
  }

  #choose(): Request {
    const { random } = this.cluster.scheduler;
    if (this.#unclear.size > 0 && random.chance(RETRIES)) return random.pick([...this.#unclear.values()]);
    if (this.#settled.length > 0 && random.chance(ASKS_AGAIN)) return random.pick(this.#settled);
    const again = this.#settled.filter(({ op }) => op === "buy");
    if (again.length > 0 && random.chance(USES_AGAIN)) {
      const { input } = this.#purchase();
      return { ...random.pick(again), input };
    }
    const choice = random.next();
    if (choice < 0.5) return this.#purchase();
    if (choice < 0.65) {
      const by = 1 + random.integer(TOP_UP_MAX);
      const request = this.#request("till", random.pick(this.#tills), "put", { by });
      this.topUps.set(request.key, by);
      return request;
    }
    const alarm = random.pick(this.#alarms);
    const name = `timer${random.integer(TIMERS)}`;
    return choice < 0.92
      ? this.#request("alarm", alarm, "set", { name, in_ms: random.pick(RING_MS) })
      : this.#request("alarm", alarm, "clear", { name });
  }

  #purchase(): Request {
    const { random } = this.cluster.scheduler;
    const order = { till: random.pick(this.#tills), price: 1 + random.integer(PRICE_MAX) };
    const input = random.chance(PATIENT) ? order : { ...order, patience_ms: random.pick(PATIENCE_MS) };
    return this.#request("shop", random.pick(this.#shops), "buy", input);
  }

  #request(
    kind: Request["kind"],
    actor: string,
    op: string,
    input: Request["input"],
    hasClientKey = this.cluster.scheduler.random.chance(KEYED),
  ): Request {
    return { kind, actor, op, input, key: `wish-${++this.#keys}`, hasClientKey };
  }

  #untilClear(request: Request): void {
    this.#ask(request, SETTLING_DEADLINE_MS, (_request, outcome) => {
      if (outcome === undefined) this.#untilClear(request);
    });
  }

  #ask(request: Request, deadlineMs: number, then: (request: Request, outcome: Outcome) => void): void {
    const { cluster } = this;
    const caller = cluster.scheduler.random.pick(cluster.callers);
    this.#underWay += 1;
    const before = this.#receiptOf(request);
    ask(caller, request, deadlineMs, (outcome) => {
      this.#underWay -= 1;
      const said = JSON.stringify(outcome) ?? "unknown";
      cluster.scheduler.trace.note(() => `${describe(request)} is answered: ${said}`);
      const breach = this.#breach(request, outcome, before !== undefined);
      if (breach !== undefined)
        this.violations.push(`${describe(request)} was answered ${said}, and ${breach}`);
      then(request, outcome);
    });
  }

  /** What is wrong with an answer, by what is committed when it comes. */
  #breach(request: Request, outcome: Outcome, wasDone: boolean): string | undefined {
    if (outcome === undefined) return undefined;
    const receipt = this.#receiptOf(request);
    if ("code" in outcome) {
      if (outcome.code === "IDEMPOTENCY_KEY_REUSED") {
        return receipt === undefined ? "nobody used its key" : undefined;
      }
      // Nothing was taken off the shelf or put into the till: the only refusals that leave no receipt.
      const isWithoutReceipt =
        outcome.code === (request.kind === "shop" ? "NAME_TAKEN" : "INSUFFICIENT_BALANCE");
      if (isWithoutReceipt && !(request.kind === "shop" && wasDone)) {
        if (request.kind === "alarm") return "alarms refuse nothing";
        if (request.kind === "till" || outcome.code === "NAME_TAKEN") return undefined;
      }
    }
    if (receipt === undefined) return "it is not committed";
    if (request.op !== "buy") {
      const isSame = "value" in outcome && JSON.stringify(outcome.value) === JSON.stringify(receipt.reply);
      return isSame ? undefined : `committed as ${JSON.stringify(receipt.reply)}`;
    }
    const end = this.cluster.database.tables.get("receipts", request.actor, String(receipt.saga));
    if (end === undefined) return "its order has not ended";
    const { code, value } = end.reply as { code?: string; value?: object };
    const isSame =
      "code" in outcome ? outcome.code === code : JSON.stringify(outcome.value) === JSON.stringify(value);
    return isSame ? undefined : `its order ended as ${JSON.stringify(end.reply)}`;
  }

  #receiptOf({ kind, actor, op, key }: Request) {
    return this.cluster.database.tables.get("receipts", actor, `${kind}.${op}:${key}`);
  }
}

function ask(
  { process, client, onDeath }: CallerMember,
  { kind, actor, op, input, key, hasClientKey }: Request,
  deadlineMs: number,
  answered: (outcome: Outcome) => void,
): void {
  const died = () => settle(undefined);
  const settle = (outcome: Outcome) => {
    onDeath.delete(died);
    answered(outcome);
  };
  onDeath.add(died);
  process.after(0, "wish", () => {
    const call = (client.actors as unknown as AnyClient)
      [kind]?.(actor)
      [op]?.(input, { key, hasClientKey, deadlineMs });
    call?.then(
      ({ value }) => settle({ value }),
      (error) => {
        if (!(error instanceof DomainError)) throw error;
        settle(error.code === "UNAVAILABLE" ? undefined : { code: error.code });
      },
    );
  });
}

const names = (kind: string, count = 0): string[] => Array.from({ length: count }, (_, n) => `${kind}${n}`);

const describe = ({ actor, op, input, key }: Request): string =>
  `${op} ${JSON.stringify(input)} at ${actor} under ${key}`;
