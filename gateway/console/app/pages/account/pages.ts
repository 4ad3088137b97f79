/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Webhook } from "../webhooks/webhook.tsx";
export { default as Webhooks } from "../webhooks/webhooks.tsx";
export { default as Account } from "./account.tsx";
export { default as Audit } from "./audit.tsx";
export { default as Limits } from "./limits.tsx";
export { default as Notifications } from "./notifications.tsx";
export { default as SecondFactor } from "./second-factor.tsx";
export { default as Sessions } from "./sessions.tsx";
export { default as Tokens } from "./tokens.tsx";
