import { type Page, sayingPage } from "./page.ts";

/** The page of an address that no browser sends by itself: a link that a mail program or a person has damaged. */
export const brokenAddressPage = (): Page =>
  sayingPage({
    title: "The link is not valid",
    status: 400,
    text: "It is not whole, or was changed on its way: open all of the address as it was sent to you.",
    next: ["To the console", "/"],
  });
