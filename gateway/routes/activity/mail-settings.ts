import { Elysia } from "elysia";
import { readMailSettings } from "../../../actors/activity/mail/queries.ts";
import { MailSettingsReply, PatchMailSettings } from "../../../schemas/activity/mail.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { firstParty } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";

/** Which notices are mailed (docs/decisions/0130-outgoing-mail.md). No API token changes it: whoever stole one must not silence them. */
export const mailSettingsRoutes = ({ db, actors, credentials, sendsMail }: GatewayContext) => {
  const read = async (userId: string) => {
    const settings = await readMailSettings(db, userId);
    if (settings === undefined) throw invalidToken();
    return { ...settings, sends_mail: sendsMail };
  };

  return new Elysia({ prefix: "/api/v1/notifications/mail", detail: { tags: ["Notifications"] } })
    .use(firstParty(credentials))
    .get("/", async ({ caller }) => ok("Notices by mail", await read(caller.userId)), {
      response: { 200: MailSettingsReply },
      detail: { summary: "Which notices are mailed to you" },
    })
    .patch(
      "/",
      async ({ caller, body }) => {
        const { low_balance_below: below, ...notices } = body;
        if (Object.keys(notices).length > 0) await actors.account(caller.userId).set_mail_notices(notices);
        if (below !== undefined) await actors.wallet(caller.userId).set_low_balance({ below });
        return ok("Notices by mail changed", await read(caller.userId));
      },
      {
        body: PatchMailSettings,
        response: { 200: MailSettingsReply },
        detail: {
          summary: "Choose which notices are mailed to you",
          description:
            "What is left out stays. Notices are mailed to a verified address alone; all of them are in the inbox as well, but for that of a low balance, " +
            "which is mailed once each time the balance falls below `low_balance_below`.",
          "x-idempotency-key": false,
        },
      },
    );
};
