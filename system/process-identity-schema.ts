import { Type } from "@sinclair/typebox";
import type { ProcessIdentity } from "./process-identity.ts";

/** A process's identity as it is read from a file. */
export const ProcessIdentitySchema = Type.Object({
  pid: Type.Integer({ minimum: 2 }),
  started: Type.String(),
  boot: Type.String(),
}) satisfies { static: ProcessIdentity };
