import { Type } from "@sinclair/typebox";
import { DomainError } from "../../schemas/errors.ts";
import { Id, Strict } from "../../schemas/primitives.ts";
import { SERVER_NAME } from "../../schemas/subjects.ts";
import { recordEvent } from "../event/record.ts";
import { actor, type Context, command } from "../runtime/definition.ts";
import { loadServers, type ServerState } from "./queries.ts";

type State = ServerState | null;

const AddInput = Strict({
  name: Type.String({ pattern: SERVER_NAME.source }),
  specs: Type.Record(Type.String(), Type.Unknown()),
});
const HandOverInput = Strict({
  rental_id: Id,
  user_id: Id,
  rental_end: Type.String({ description: "ISO 8601" }),
});

/** All that can happen to a server of the stock. Keyed by server. */
export const serverActor = actor("server", {
  table: "servers",
  key: "id",
  load: loadServers,
  empty: (): State => null,
  row: (server, id, now) =>
    server && {
      id,
      name: server.name,
      status: server.status,
      specs: server.specs,
      created_at: server.createdAt,
      updated_at: now,
    },
  conflicts: { servers_name: { code: "NAME_TAKEN", message: "there is a server of this name" } },
  on: {
    add: command(AddInput, Type.Object({}), (server: State, input, ctx: Context<State>) => {
      if (server !== null) return {};
      ctx.become({ name: input.name, status: "in_stock", specs: input.specs, createdAt: ctx.now });
      recordEvent(ctx, {
        event_type: "server.added",
        resource_id: ctx.actorId,
        user_id: null,
        data: { name: input.name },
      });
      return {};
    }),

    /** An operator gives a server of the stock to a user, until the end of the rental. */
    hand_over: command(HandOverInput, Type.Object({}), (server: State, input, ctx: Context<State>) => {
      if (server === null) throw new DomainError("SERVER_NOT_FOUND", "Server not found");
      if (server.status === "rented") return {};
      ctx.become({ ...server, status: "rented" });
      ctx.insert("rentals", {
        id: input.rental_id,
        version: 1,
        server_id: ctx.actorId,
        user_id: input.user_id,
        status: "active",
        rental_end: input.rental_end,
        created_at: ctx.now,
        updated_at: ctx.now,
      });
      recordEvent(ctx, {
        event_type: "server.rented",
        resource_id: ctx.actorId,
        user_id: input.user_id,
        data: { name: server.name, rental_id: input.rental_id, rental_end: input.rental_end },
      });
      return {};
    }),
  },
});
