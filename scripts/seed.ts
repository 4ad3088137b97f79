import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { findCredentials } from "../actors/accounts/account/queries.ts";
import { defaultPoolId } from "../actors/accounts/pool/rules.ts";
import { readContainer } from "../actors/hosting/container/queries.ts";
import { readStock } from "../actors/market/server/queries.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import { required } from "../actors/platform/environment.ts";
import { newId } from "../actors/platform/ids.ts";
import type { Definitions } from "../actors/registry.ts";
import type { ActorsOf } from "../actors/runtime/client.ts";
import { connectToCluster } from "../actors/runtime/transport/connect.ts";
import { natsBus } from "../actors/runtime/transport/nats-bus.ts";
import { ImageStore } from "../agents/containers/images/store.ts";
import { joinedHosts } from "../gateway/hosts/joined-hosts.ts";
import { parseImageReference } from "../schemas/hosting/image-reference.ts";
import { awaitLaunchSettings } from "../system/launch-settings.ts";
import { startFailure } from "../system/start-failure.ts";
import { DEMO_IMAGE, importDemoImage } from "./demo-image.ts";
import { RECIPES } from "./image-make.ts";
import { DEMO_SERVER, OFFERS, OWN_SERVER, PARTS, SERVERS_BY_HAND } from "./seed-stock.ts";

/**
 * The demo data (design §5): every step is an actor message under a fixed key, so that running it again changes nothing. An
 * existing account keeps its password.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const RENTAL_DAYS = 365;
const RUNNING_MS = 15_000;
const LOOK_MS = 50;

/**
 * Ids of demo records are derived from the demo user's id, which differs in each installation: interfaces and tables on a host
 * are named after them, and two Berths may run on one machine.
 */
const idsOf = (demoUserId: string) => (thing: string) =>
  createHash("sha256").update(`${demoUserId} ${thing}`).digest("hex").slice(0, 24);

const hashes = new Map<string, Promise<string>>();
let hasDemoImage = false;

/** The hash of a user's password, which takes a tenth of a second. */
function hashOf(username: "admin" | "demo"): Promise<string> {
  const password = required(
    process.env,
    `BERTH_${username.toUpperCase()}_PASSWORD`,
    `the password of ${username}`,
  );
  const hash = hashes.get(username) ?? Bun.password.hash(password);
  hashes.set(username, hash);
  return hash;
}

/** A first start does what takes time, and needs nothing of the servers, while they get ready. */
async function prepare(): Promise<void> {
  const store = process.env.BERTH_IMAGE_STORE;
  if (!store || existsSync(store)) return;
  const image = importDemoImage(store).catch(withoutIt);
  await Promise.all([hashOf("admin"), hashOf("demo")]);
  hasDemoImage = await image;
}

async function seed(actors: ActorsOf<Definitions>): Promise<void> {
  const once = (step: string) => ({ key: `seed:${step}`, hasClientKey: true });

  const account = async (username: "admin" | "demo", role: "admin" | "user"): Promise<string> => {
    const known = await findCredentials(db, { username });
    if (known !== undefined) return known.user.id;
    const id = newId();
    const password_hash = await hashOf(username);
    await actors
      .account(id)
      .signup({ username, email: `${username}@berth.example`, password_hash, role }, once(username));
    return id;
  };
  await account("admin", "admin");
  const demo = await account("demo", "user");
  const demoId = idsOf(demo);

  await actors
    .wallet(demo)
    .credit(
      { amount: "500.00", reason: "Welcome to Berth", idempotency_key: "seed:welcome" },
      once("welcome"),
    );

  const store = process.env.BERTH_IMAGE_STORE;
  const isImported = hasDemoImage || (store ? await importDemoImage(store).catch(withoutIt) : false);
  const made = await listMade(store);
  for (const { id, ...image } of [...IMAGES, ...(isImported ? [WEB_SERVER] : []), ...made]) {
    const { alias } = image;
    await actors.image(demoId(id)).create(image, once(`image:${alias}`));
    const icon = Bun.file(new URL(`./seed-icons/${alias}.png`, import.meta.url));
    if (!(await icon.exists())) continue;
    const png = Buffer.from(await icon.bytes()).toString("base64");
    await actors.image(demoId(id)).set_icon({ png }, once(`icon:${alias}`));
  }
  for (const offer of OFFERS) await actors.offer(demoId(offer.name)).create(offer, once(offer.name));
  const own = demoId(OWN_SERVER.name);
  for (const server of [OWN_SERVER, ...SERVERS_BY_HAND])
    await actors.server(demoId(server.name)).create(server, once(server.name));
  for (const part of PARTS)
    await actors.server(demoId(part.name)).create({ ...part, parent_id: own }, once(part.name));

  await actors.server(demoId(DEMO_SERVER)).hand_over(
    {
      rental_id: demoId("rental"),
      user_id: demo,
      pool_id: defaultPoolId(demo),
      rental_end: new Date(Date.now() + RENTAL_DAYS * DAY_MS).toISOString(),
    },
    // It ends a year after the first run, so only the key can show that it exists.
    { key: "seed:rental" },
  );

  const project = demoId("project");
  const container = demoId("container");
  await actors.project(project).create({ user_id: demo, name: "demo" }, once("project"));
  await actors.container(container).create(
    {
      user_id: demo,
      project_id: project,
      server_id: demoId(DEMO_SERVER),
      server_name: OWN_SERVER.name,
      image_id: demoId("debian-13-welcome"),
      image_reference: null,
      name: "welcome",
      image_args: WELCOME,
    },
    once("container"),
  );
  // Whoever started this may make a link to the container.
  process.send?.("created");
  await Promise.all([
    untilItRuns(demo, container),
    untilForRent(
      actors,
      PARTS.map(({ name }) => demoId(name)),
    ),
  ]);
}

/** Continue: the demo is useful without it. */
function withoutIt(error: Error): boolean {
  console.log(`the demo's image could not be made, and is not in the catalogue: ${error.message}`);
  return false;
}

/** "Ready" includes the demo container, but a slow or missing host is no reason to fail. */
async function untilItRuns(demo: string, containerId: string): Promise<void> {
  for (const end = Date.now() + RUNNING_MS; Date.now() < end; await Bun.sleep(LOOK_MS)) {
    const container = (await readContainer(db, demo, containerId))?.container;
    // The user has deleted or stopped it meanwhile.
    if (container === undefined || container.state === "running" || container.state === "stopped") return;
  }
  console.log("the demo container does not run yet; its record has the reason");
}

/** A part is for rent once the agent has connected. */
async function untilForRent(actors: ActorsOf<Definitions>, parts: readonly string[]): Promise<void> {
  // As after a request of the API, which new servers come by elsewhere.
  const { probe } = joinedHosts(db, actors, async (subject, text, timeout) =>
    (await bus.connection.request(subject, text, { timeout })).string(),
  );
  for (const end = Date.now() + RUNNING_MS; Date.now() < end; await Bun.sleep(LOOK_MS)) {
    await probe(OWN_SERVER.name);
    const found = await Promise.all(parts.map((id) => readStock(db, id)));
    if (found.every((server) => server === undefined || server.host_joined_at !== null)) return;
  }
  console.log("the agent of this machine has not connected yet: parts of it are for rent once it has");
}

const ARCHITECTURE = process.arch === "arm64" ? ("arm64" as const) : ("amd64" as const);
/** The contract knows only this system; the description tells what an image really contains. */
const debian = { architecture: ARCHITECTURE, os: "debian", release: "13", price: "0" };
/** The agent provides these two in its containers. */
const WELCOME = ["/.berth/bun", "/.berth/welcome.ts"];

/** All are free: they consist of the host's own programs. */
const IMAGES = [
  {
    // The id of its record, which data from before it got this name already contain.
    id: "debian-13",
    ...debian,
    alias: "host-programs",
    description: "The programs of its host, read-only, and nothing running",
    image_name: "host/programs",
    variant: "default",
    tags: ["minimal"],
    command: [],
  },
  {
    id: "debian-13-welcome",
    ...debian,
    alias: "welcome",
    description: "The programs of its host, read-only, with a small web server on port 8080",
    image_name: "host/welcome",
    variant: "welcome",
    tags: ["web", "demo"],
    command: WELCOME,
  },
];
/** What an operator made by `berth image make`. It is in the catalogue once it is in the host's store, and not before. */
const MADE = [
  {
    id: "desktop",
    ...debian,
    alias: "desktop",
    description:
      "Debian with a small desktop (IceWM, a file manager, a terminal) in the browser: make an alias to the program display",
    image_name: "berth/desktop",
    variant: "desktop",
    tags: ["desktop", "demo"],
    reference: RECIPES.desktop.reference,
  },
  {
    id: "code",
    ...debian,
    alias: "code",
    description:
      "Debian with VS Code in the browser (code-server) and git: make an alias to the program code",
    image_name: "berth/code",
    variant: "code",
    tags: ["editor", "demo"],
    reference: RECIPES.code.reference,
  },
];

async function listMade(folder: string | undefined): Promise<typeof MADE> {
  if (!folder) return [];
  const store = new ImageStore(folder);
  await store.open();
  const isThere = await Promise.all(
    MADE.map(async ({ reference }) => (await store.imported(parseImageReference(reference))) !== null),
  );
  return MADE.filter((_, at) => isThere[at]);
}

/** Added only where containers are isolated. It is in the host's image store. */
const WEB_SERVER = {
  id: "web-server",
  ...debian,
  alias: "web-server",
  description: "A web server in perl on port 8080 and a shell: an image made of this machine's programs",
  image_name: "berth/web-server",
  variant: "web",
  tags: ["web", "demo"],
  reference: DEMO_IMAGE,
};

const fail = (error: unknown): never => {
  console.error(`the demo data could not be created: ${startFailure(error) ?? (error as Error).message}`);
  process.exit(1);
};

await awaitLaunchSettings(prepare);
const db = openSql(required(process.env, "DATABASE_URL", "the database"), { max: 2, name: "berth-seed" });
const bus = await natsBus(required(process.env, "NATS_URL", "the NATS server"), "seed").catch(fail);
const client = connectToCluster<Definitions>(bus, db);

try {
  await seed(client.actors);
} catch (error) {
  fail(error);
} finally {
  client.close();
  await bus.close();
  await db.end({ timeout: 5 });
}
