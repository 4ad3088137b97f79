/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Webhook } from "./webhook.tsx";
export { default as Webhooks } from "./webhooks.tsx";
