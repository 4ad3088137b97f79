export { default as Webhook } from "./webhook.tsx";
export { default as Webhooks } from "./webhooks.tsx";
