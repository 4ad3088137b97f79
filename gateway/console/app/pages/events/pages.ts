/** They are one file for browsers: who opens one of them goes on to the other, and each of its own would be larger. */

export { default as Inbox } from "../inbox/inbox.tsx";
export { default as Events } from "./events.tsx";
