import { File, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** `npm start`, and the command line. */
export const oneMachine: readonly Setting[] = [
  {
    name: "BERTH_SEED",
    roles: ["start"],
    type: Word("demo", "none"),
    standard: "demo",
    meaning: "`none`: no demo data",
  },
  {
    name: "BERTH_ADMIN_PASSWORD",
    roles: ["start"],
    type: Text,
    standardIs: "generated",
    meaning: "the password of `admin`, 10 to 256 characters, at the first start",
    isSecret: true,
  },
  {
    name: "BERTH_DEMO_PASSWORD",
    roles: ["start"],
    type: Text,
    standardIs: "generated",
    meaning: "the password of `demo`, the same way",
    isSecret: true,
  },
  {
    name: "BERTH_ACTOR_HOSTS",
    roles: ["start"],
    type: Whole(1, 8),
    standard: "1",
    meaning: "how many actor hosts share the work",
  },
  {
    name: "BERTH_URL",
    roles: ["berth"],
    type: Url,
    meaning: "the control plane, in place of a context ([cli.md](cli.md))",
  },
  {
    name: "BERTH_TOKEN",
    roles: ["berth"],
    type: Text,
    meaning: "the credential, in place of a context",
    isSecret: true,
  },
  {
    name: "BERTH_CONTEXT",
    roles: ["berth"],
    type: Text,
    meaning: "the context, where the command line names none",
  },
  {
    name: "BERTH_CA",
    roles: ["berth"],
    type: File,
    meaning: "the authority of the hosts' certificates in PEM, as `--ca` of `login`",
  },
  {
    name: "BERTH_CONFIG_DIR",
    roles: ["berth"],
    type: Text,
    standardIs: "`$XDG_CONFIG_HOME/berth` or `~/.config/berth`",
    meaning: "the folder of its configuration",
  },
  {
    name: "BERTH_KEYRING",
    roles: ["berth"],
    type: Word("off"),
    meaning: "`off` keeps credentials in a file",
  },
];
