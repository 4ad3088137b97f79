import { act } from "./actions.ts";
import { api, type Schemas } from "./api.ts";

type Container = Schemas["Container"];
export type Change = "start" | "restart" | "stop";

/** What can be done in a state. One that fails is started again by its host until it is stopped. */
export const changesOf = (state: Container["state"]): readonly Change[] =>
  CHANGES.filter((change) =>
    change === "start"
      ? state === "stopped" || state === "error"
      : change === "restart"
        ? state === "running"
        : state !== "stopped" && state !== "deleted",
  );

const CHANGES = ["start", "restart", "stop"] as const;

export const changeState = ({ id, name }: Pick<Container, "id" | "name">, change: Change): Promise<boolean> =>
  act(
    `${name} is ${change.replace("stop", "stopp")}ing`,
    () => api.POST(`/api/v1/containers/{id}/${change}`, { params: { path: { id } } }),
    ["containers", "list"],
    ["containers", id],
  );
