import { expect, test } from "bun:test";
import { markSecrets } from "../../../client/cli/secret-marks.ts";
import { changesOf, fieldNamesOf, reasonToReplace } from "../../../client/compose/compare.ts";
import { readProject } from "../../../client/compose/project.ts";
import { compareSecrets } from "../../../client/compose/secrets.ts";
import type { Container } from "../../../client/index.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const read = (text: string, env: Record<string, string> = {}) =>
  readProject(text, { file: "shop/berth.yaml", defaultName: "shop" }, env);

/** A file with one service on a server, whose fields are given. */
const service = (fields: string) => `x-berth: { server: node }\nservices:\n  web:\n${fields}`;

test("a service has the fields of compose, with the values of the environment put in", async () => {
  const { name, containers } = await read(
    service(`    image: nginx:\${TAG:-1}
    command: sh -c 'echo "a b" $$HOME'
    entrypoint: ["/entry", "\${WHERE}"]
    environment: ["A=b=c", FROM_HERE]
    ports: ["80", "127.0.0.1:8443:443/tcp", { target: 53, protocol: udp, name: dns }]
    volumes: ["data:/srv:ro", { type: volume, source: data, target: /data }]
    cpus: 0.5
    mem_limit: 1gb
    restart: on-failure:3
    labels: { tier: front }
    stop_signal: QUIT
    stop_grace_period: 1m5s
    healthcheck: { test: ["CMD", "curl", "-f", "http://localhost"], interval: 10s, retries: 2 }
volumes: { data: { x-berth: { size: 1G } } }
`),
    { WHERE: "there", FROM_HERE: "yes" },
  );
  expect(name).toBe("shop");
  expect(containers[0]).toMatchObject({
    name: "web",
    server: "node",
    image: "nginx:1",
    env: [
      { name: "A", value: "b=c", secret: false },
      { name: "FROM_HERE", value: "yes", secret: false },
    ],
    volumes: [
      { share: "data", path: "/srv", read_only: true },
      { share: "data", path: "/data", read_only: false },
    ],
    settings: {
      command: ["/entry", "there"],
      args: ["sh", "-c", 'echo "a b" $HOME'],
      ports: [
        { name: "port-80", port: 80, protocol: "http" },
        { name: "port-443", port: 443, protocol: "http" },
        { name: "dns", port: 53, protocol: "udp" },
      ],
      labels: { tier: "front", "berth.service": "web" },
      resources: { cpu_cores: 0.5, memory_bytes: 2 ** 30 },
      restart_policy: { name: "on-failure", max_retries: 3 },
      stop_grace_seconds: 65,
      stop_signal: "SIGQUIT",
      health_check: {
        command: ["curl", "-f", "http://localhost"],
        interval_seconds: 10,
        retries: 2,
        enabled: true,
      },
    },
  });
});

test.each([
  ["    build: .\n", "4: services.web.build: images are not built here"],
  ["    image: a\n    tty: true\n", "5: services.web.tty: is not supported"],
  ["    image: a\n    ports:\n      - 80\n      - 80-90\n", '7: services.web.ports.1: "80-90" is not a port'],
  ["    volumes: [./here:/srv]\n", '4: services.web.volumes.0: "./here:/srv" is not a volume'],
  ["    volumes: [data:/srv]\n", "4: services.web.volumes.0: declare data under the volumes of the file"],
  ["    deploy:\n      replicas: 2\n", "5: services.web.deploy.replicas: a service is one container"],
  ["    environment: [HERE]\n", "set the variable HERE"],
  ["    command: echo 'open\n", "4: services.web.command: a quotation mark is missing"],
  ["    image: a:$TAG\n", "4: services.web.image: set the variable TAG"],
  ["    depends_on: [web]\n", "4: services.web.depends_on: web and web depend on each other"],
  ["    x-berth:\n      firewall: { ingress: [{ port: 1 }] }\n", "5: services.web.x-berth.firewall: "],
  ["    mem_limit: much\n", '"much" is not a size'],
  ["    image: [\n", "berth.yaml:"],
])("what cannot be done is refused with its line: %j", async (fields, said) => {
  await expect(read(service(fields))).rejects.toThrow(said);
});

test("a service without a server is refused, except where it is only to be deleted", async () => {
  const text = "services: { web: { image: a } }";
  await expect(read(text)).rejects.toThrow("name its server");
  const deleted = await readProject(
    text,
    { file: "shop/berth.yaml", defaultName: "shop", isForDeletion: true },
    {},
  );
  expect(deleted.containers.map(({ name }) => name)).toEqual(["web"]);
});

test("an empty entry point takes the image's away: the command is the program", async () => {
  const program = async (fields: string) => {
    const { command, args } = (await read(service(fields))).containers[0]?.settings ?? {};
    return { command, args };
  };
  for (const empty of ["[]", '""'])
    expect(await program(`    entrypoint: ${empty}\n    command: [sleep, "1"]\n`)).toEqual({
      command: ["sleep", "1"],
      args: [],
    });
  expect(await program("    entrypoint:\n    command: [sleep]\n")).toEqual({ command: [], args: ["sleep"] });
  await expect(program("    entrypoint: []\n")).rejects.toThrow("4: services.web.entrypoint: ");
});

test("an image in its short form is the one of the record, and another tag needs another container", () => {
  const present = {
    server_id: "1",
    image_id: null,
    image: { reference: "docker.io/library/nginx:1" },
  } as unknown as Container;
  const reason = (image: string) => reasonToReplace(present, { image, serverId: "1" }, undefined);
  expect([reason("nginx:1"), reason("docker.io/library/nginx:1")]).toEqual([undefined, undefined]);
  expect(reason("nginx")).toContain("becomes nginx");
  expect(reasonToReplace(present, { image: "nginx:1", serverId: "2" }, undefined)).toContain(
    "another server",
  );
});

test("a new value of a secret is seen on the machine that set the former one, and left alone on others", async () => {
  const wanted = async (folder: string, value: string) => {
    const env = { BERTH_CONFIG_DIR: folder, PASSWORD: value };
    const file = service("    image: a\n    x-berth: { secrets: [PASSWORD] }\n");
    const [one] = (await markSecrets(env, await read(file, env))).containers;
    if (one === undefined) throw new Error("no container");
    return one;
  };
  const [here, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const made = await wanted(here, "hunter2");
  const present = { ...made.settings, env: [{ name: "PASSWORD", secret: true }] } as unknown as Container;
  expect(JSON.stringify(present.labels)).not.toContain("hunter2");
  expect(compareSecrets(present, await wanted(here, "hunter2"))).toBe("same");
  expect(changesOf(present, await wanted(here, "hunter2"), false)).toEqual({});
  const changed = changesOf(present, await wanted(here, "swordfish"), false);
  expect(changed.env).toEqual([{ name: "PASSWORD", value: "swordfish", secret: true }]);
  expect(fieldNamesOf(present, changed)).toEqual(["env"]);
  const unknown = await wanted(elsewhere, "swordfish");
  expect([compareSecrets(present, unknown), changesOf(present, unknown, false)]).toEqual(["unknown", {}]);
  expect(changesOf(present, unknown, true).env).toHaveLength(1);
});
