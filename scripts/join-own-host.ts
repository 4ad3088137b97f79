import { awaitLaunchSettings } from "../system/launch-settings.ts";
import { startFailure } from "../system/start-failure.ts";
import { joinOwnHost } from "./own-host.ts";

/** A step of `npm start`: the machine joins the control plane that it runs. */

const need = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

await awaitLaunchSettings();
try {
  await joinOwnHost(
    {
      name: need("BERTH_SERVER_NAME"),
      databaseUrl: need("DATABASE_URL"),
      natsUrl: need("NATS_URL"),
      folder: need("BERTH_DATA"),
    },
    need("BERTH_URL"),
  );
} catch (error) {
  console.error(`this machine could not join: ${startFailure(error) ?? (error as Error).stack}`);
  process.exit(1);
}
process.exit(0);
