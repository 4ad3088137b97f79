/** What the test reads of a compose file. A field that is not here is refused, so that none is passed over. */

export interface Healthcheck {
  readonly test?: readonly string[];
  readonly disable?: boolean;
  readonly interval?: string;
  readonly timeout?: string;
  readonly start_period?: string;
}

export type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

export interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly args: object };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly env_file?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly shm_size?: string;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: Condition }>>;
  readonly healthcheck?: Healthcheck;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const FIELDS = [
  ...["image", "build", "command", "entrypoint", "env_file", "environment", "user", "read_only", "tmpfs"],
  ...["cap_drop", "security_opt", "volumes", "secrets", "ports", "network_mode", "shm_size", "restart"],
  ...["stop_grace_period", "depends_on", "healthcheck"],
];

/** @throws Error that names a field which nothing here knows */
export function readComposeFile(text: string): ComposeFile {
  const file = Bun.YAML.parse(text) as ComposeFile;
  for (const [name, service] of Object.entries(file.services))
    for (const field of Object.keys(service))
      if (!FIELDS.includes(field)) throw new Error(`services.${name}.${field} is not known to the test`);
  return file;
}

/** What an image says of itself. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly folder: string;
  readonly healthcheck?: readonly string[];
}

/** An instruction of a Dockerfile, with its continued lines. */
interface Instruction {
  readonly word: string;
  readonly rest: string;
}

function readInstructions(dockerfile: string): Instruction[] {
  return dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      word: line.split(" ", 1)[0] ?? "",
      rest: line.slice(line.indexOf(" ") + 1),
    }));
}

export interface Dockerfile {
  readonly config: ImageConfig;
  /** Files and folders of the checkout that are in the image. */
  readonly copied: readonly string[];
  /** Folders of the dependencies that are removed from it. */
  readonly removed: readonly string[];
  /** The program that the build runs last. */
  readonly lastStep: string;
}

/** Reads `deploy/Dockerfile`: a stage that builds, and one that is the image. */
export function readDockerfile(text: string): Dockerfile {
  const instructions = readInstructions(text);
  const at = instructions.findLastIndex(({ word }) => word === "FROM");
  const [build, image] = [instructions.slice(0, at), instructions.slice(at)];
  const last = (word: string) => image.findLast((one) => one.word === word)?.rest ?? "";
  const steps = build.filter(({ word }) => word === "RUN").map(({ rest }) => rest);
  return {
    config: {
      entrypoint: JSON.parse(last("ENTRYPOINT")),
      command: JSON.parse(last("CMD")),
      env: Object.fromEntries(
        image
          .filter(({ word }) => word === "ENV")
          .flatMap(({ rest }) => rest.split(" "))
          .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
      ),
      user: last("USER"),
      folder: last("WORKDIR"),
      healthcheck: JSON.parse(last("HEALTHCHECK").replace(/^.*?CMD /, "")),
    },
    copied: build
      .filter(({ word }) => word === "COPY")
      .flatMap(({ rest }) => rest.split(" ").slice(0, -1))
      .filter((name) => !name.startsWith("client/")),
    removed: steps.flatMap((step) => /rm -rf (.*)/.exec(step)?.[1]?.split(" ") ?? []),
    lastStep: steps.at(-1) ?? "",
  };
}
