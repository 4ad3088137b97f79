import type { PaymentIntent } from "../../schemas/billing/top-up.ts";
import { type Page, said } from "../pages/page.ts";

/** The page to which processors send people back, unless the operator has one of their own. */

/** A card is confirmed within seconds, a coin within an hour: the page looks often at first, and then seldom. */
const SOON = { seconds: 3, looks: 40 };
const LATER = { seconds: 30, looks: 160 };

const WAITS = "Your wallet is credited as soon as the processor confirms the payment.";

const OUTCOMES: Readonly<Record<string, readonly [string, string, string]>> = {
  paid: ["Thank you", WAITS, ""],
  failed: ["The payment failed", "Nothing was credited. You can start another top-up.", "bad"],
  expired: ["The payment has expired", "Nothing was credited. You can start another top-up.", "bad"],
  canceled: [
    "The payment was left",
    "Nothing was credited. Its page stays open until the payment expires.",
    "bad",
  ],
};
const RETURNED = ["You are back", WAITS, ""] as const;

const NOT_PAID =
  "Nothing was credited. You can start another top-up. Should the money arrive after all, it is credited.";

/** The console asks for the same once more. */
const again = ({ amount, provider }: PaymentIntent): string =>
  `<a class="button pay" autofocus href="/wallet?${Bun.escapeHTML(`${new URLSearchParams({ top_up: "true", amount: String(amount), by: provider })}`)}">Try again</a>`;

/** Where to go on: to what the money is for, or to the wallet. The first has the focus where nothing above it has. */
const wayOn = (back: string | undefined): string =>
  back === undefined
    ? `<a class="button" href="/wallet" autofocus>To your wallet</a>`
    : `<a class="button" href="${Bun.escapeHTML(back)}" autofocus>Go on with your order</a>
<p class="leave"><a href="/wallet">To your wallet</a></p>`;

export interface Returned {
  readonly outcome: string | undefined;
  /** Undefined: the address names no payment, or not with the mark that the processor was given. */
  readonly intent: PaymentIntent | undefined;
  /** The reader's languages, as the browser sends them. */
  readonly languages: string | null;
  /** How often the page has looked already. */
  readonly looks: number;
  /** The address of this page at its next look. */
  readonly nextUrl: string;
  /** The page of the purchase that the payment is for. */
  readonly back: string | undefined;
}

/** What became of a payment; while that is open the page looks again by itself. Without the payment's mark it shows nothing of it. */
export function returnPage({ outcome, intent, languages, looks, nextUrl, back }: Returned): Page {
  const pageOf = (title: string, amount: string, state: string): Page => ({
    title,
    html: `<div class="inside">
<h1>Top up your wallet</h1>
${amount}
${state}
${wayOn(back)}
</div>`,
  });
  const found = outcome !== undefined && Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome] : undefined;
  const [title, text, kind] = found ?? RETURNED;
  if (intent === undefined) return pageOf(title, "", said(title, text, kind));
  const format = (amount: number, currency = "USD") =>
    Bun.escapeHTML(amount.toLocaleString(localeOf(languages), { style: "currency", currency }));
  const amount = `<p class="amount">${format(intent.amount, intent.currency)}</p>`;
  if (intent.status !== "pending") {
    const [name, state] = stateOf(intent, format);
    return pageOf(name, amount, state);
  }
  if (outcome === "canceled") return pageOf(title, amount, said(title, text, kind) + goOn(intent));
  const pace = looks < SOON.looks ? SOON : looks < LATER.looks ? LATER : undefined;
  const waiting = said(
    "Waiting for the confirmation",
    pace === undefined
      ? `${WAITS} That takes longer than usual: load this page again later, or look in your wallet.`
      : `${WAITS} This page looks by itself; you may also leave it.`,
    "",
  );
  const page = pageOf("Waiting for the confirmation", amount, waiting);
  return pace === undefined ? page : { ...page, again: { seconds: pace.seconds, url: nextUrl } };
}

/** Its title, and what it says. */
function stateOf(intent: PaymentIntent, format: (amount: number) => string): [title: string, html: string] {
  const { status, credited_amount, amount } = intent;
  if (status === "completed") {
    const credited = format(credited_amount ?? amount);
    return ["Paid", said("Paid", `${credited} was added to your balance.`, "")];
  }
  const title = status === "failed" ? "The payment failed" : "The payment has expired";
  return [title, said(title, NOT_PAID, "bad") + again(intent)];
}

/** As the console shows amounts: in the first language that the browser asks for. */
function localeOf(languages: string | null): string {
  const [first = ""] = (languages ?? "").split(/[,;]/);
  try {
    return Intl.NumberFormat.supportedLocalesOf(first.trim())[0] ?? "en";
  } catch {
    return "en";
  }
}

/** Back to the processor's page, while it is open. */
const goOn = ({ redirect_url }: PaymentIntent): string =>
  redirect_url === null
    ? ""
    : `<a class="button pay" autofocus href="${Bun.escapeHTML(redirect_url)}">Pay now<span>The payment is still open.</span></a>`;
