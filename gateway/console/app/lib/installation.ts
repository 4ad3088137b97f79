/** What the document says of this installation before anybody is signed in. */
const saysOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="berth-${name}"]`)?.content;

/** Whether it sends mail: without it nothing that needs mail is offered. */
export const SENDS_MAIL = saysOf("mail") === "on";

/** Whether addresses of containers have certificates of an authority that browsers do not know. */
export const HAS_OWN_AUTHORITY = saysOf("authority") === "own";
