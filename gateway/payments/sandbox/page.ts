import type { PaymentIntent } from "../../../schemas/billing/top-up.ts";
import { type Page, said } from "../../pages/page.ts";

const BANNER = `<p class="banner"><strong>Sandbox.</strong> Nobody pays anything here: the buttons say what a processor would say.</p>`;

const NAMES = { cardpay: "Card payment (cardpay)", cryptopay: "Crypto payment (cryptopay)" } as const;

const BUTTONS = {
  pay: `<button class="pay" name="action" value="pay">Pay<span>The payment is settled, and the wallet is credited.</span></button>`,
  fail: `<button class="fail" name="action" value="fail">Fail<span>The payment is refused; the wallet stays as it is.</span></button>`,
  expire: `<button name="action" value="expire">Let it expire<span>Nobody pays, and the intent ends now.</span></button>`,
  payLate: `<button class="pay" name="action" value="pay">Pay late<span>The money comes after all, and the wallet is credited.</span></button>`,
};

const SAID = {
  completed: ["Paid", "The wallet is credited. There is nothing left to do here."],
  failed: [
    "Failed",
    "The payment was refused. Some processors still settle such a payment later: try what happens.",
  ],
  expired: ["Expired", "Nobody paid in time. A late payment is still credited: try what happens."],
} as const;

const leave = (back: string | undefined): string =>
  `<p class="leave"><a href="${Bun.escapeHTML(back ?? "/wallet")}">Back to your ${back === undefined ? "wallet" : "order"}</a></p>`;

/** Made at its first use: a format loads tables for milliseconds, which a start need not wait for. */
let timeFormat: Intl.DateTimeFormat | undefined;
function formatTime(text: string): string {
  timeFormat ??= new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return timeFormat.format(new Date(text));
}

/**
 * The hosted page of a sandbox session.
 *
 * @param returnUrl where it leads back to, with the payment's mark
 * @param back the page of the purchase that the payment is for
 */
export function hostedPage(intent: PaymentIntent, returnUrl: string, back?: string): Page {
  const { status } = intent;
  const buttons =
    status === "pending"
      ? [BUTTONS.pay, BUTTONS.fail, BUTTONS.expire]
      : status === "completed"
        ? []
        : [BUTTONS.payLate];
  const html = `${BANNER}
<div class="inside">
<h1>Top up your wallet</h1>
<p class="amount">${intent.amount.toFixed(2)} <small>${Bun.escapeHTML(intent.currency)}</small></p>
<dl>
<dt>Provider</dt><dd>${NAMES[intent.provider]}</dd>
<dt>Intent</dt><dd><code>${intent.id}</code></dd>
<dt>Open until</dt><dd>${intent.expires_at === null ? "–" : `${formatTime(intent.expires_at)} UTC`}</dd>
</dl>
${status === "pending" ? "" : said(SAID[status][0], SAID[status][1], status === "completed" ? "" : "bad")}
${buttons.length === 0 ? `<a class="button" href="${Bun.escapeHTML(returnUrl)}">Return</a>` : `<form method="post">${buttons.join("\n")}</form>\n${leave(back)}`}
</div>`;
  return { title: `Pay ${intent.amount.toFixed(2)} ${intent.currency}`, html, formsTo: returnUrl };
}

/** The page when the gateway refused the callback. */
export const undeliveredPage = (status: string): Page => ({
  title: "Not delivered",
  status: 502,
  html: `${BANNER}
<div class="inside">
<h1>Top up your wallet</h1>
${said("Not delivered", `The gateway refused the callback (${Bun.escapeHTML(status)}). A processor would try again; so may you.`, "bad")}
<form method="get"><button>Back to the payment</button></form>
</div>`,
});
