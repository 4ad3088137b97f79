import { connect } from "nats";
import postgres from "postgres";

/**
 * A process of the runtime that does no more than a part of Berth must when nobody asks for anything: `bun least-work.ts ROLE URL`. What four of them take, with the
 * PostgreSQL and the nats-server below them, is what no control plane of these parts can go below.
 */

/** How often an actor host looks for work, and how often it renews the leases of its partitions. */
const LOOK_MS = 1_000;
const RENEWAL_MS = 1_700;
const PARTITIONS = 64;
/** A host reports that it is there, and readers ask for what is new: 2.5 messages a second reach nats-server. */
const REPORT_MS = 800;
/** One of the subjects on which a control plane may both ask and answer. */
const SUBJECT = "$KV.least-work";
const REPLY_SUBJECT = `${SUBJECT}.reply`;

const [role, url = ""] = process.argv.slice(2);
Bun.serve({ port: 0, fetch: () => new Response() });

switch (role) {
  case "waits":
    setInterval(() => {}, LOOK_MS);
    break;
  case "asks": {
    const db = postgres(url, { max: 1 });
    await db`CREATE TABLE leases (partition int PRIMARY KEY, expires_at timestamptz NOT NULL)`;
    await db`INSERT INTO leases SELECT n, now() FROM generate_series(1, ${PARTITIONS}) n`;
    setInterval(
      () => void db`SELECT FROM leases WHERE expires_at > now() + interval '1 day'`.execute(),
      LOOK_MS,
    );
    setInterval(() => void db`UPDATE leases SET expires_at = now() + interval '5 s'`.execute(), RENEWAL_MS);
    break;
  }
  case "answers": {
    const connection = await connectTo(url);
    connection.subscribe(SUBJECT, { callback: () => connection.publish(REPLY_SUBJECT) });
    break;
  }
  case "reports": {
    const connection = await connectTo(url);
    connection.subscribe(REPLY_SUBJECT, { callback: () => undefined });
    setInterval(() => connection.publish(SUBJECT), REPORT_MS);
    break;
  }
  default:
    throw new Error(`no role ${role}`);
}

function connectTo(address: string) {
  const { host, username: user, password: pass } = new URL(address);
  return connect({ servers: host, user: decodeURIComponent(user), pass: decodeURIComponent(pass) });
}
