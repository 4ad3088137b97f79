import type { DeviceSignInStatus } from "../../../schemas/accounts/device-sign-in.ts";
import { integer, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { DeviceSignInState } from "./rules.ts";

export const deviceSignInTable = rootTable<DeviceSignInState>("device_sign_ins", {
  key: "id",
  fields: {
    secretHash: text("secret_hash"),
    userCode: text("user_code"),
    clientName: text("client_name"),
    address: nullable(text("address")),
    userAgent: nullable(text("user_agent")),
    status: text<DeviceSignInStatus>("status"),
    userId: nullable(text("user_id")),
    sessionId: nullable(text("session_id")),
    sessionsEpoch: nullable(integer("sessions_epoch")),
    createdAt: timestamp("created_at"),
    expiresAt: timestamp("expires_at"),
  },
});
