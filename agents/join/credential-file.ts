import { join } from "node:path";

/** The file of the credential that a machine got when it joined. @param folder the agent's */
export const credentialFile = (folder: string): string => join(folder, "agent.creds");

/** The file with the settings that its agent got with it. */
export const joinedSettingsFile = (folder: string): string => join(folder, "agent.env");
