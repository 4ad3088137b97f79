import type { DesiredAlias } from "../../../schemas/hosting/desired.ts";

export { newId } from "../network/nft/rules.ts";

/** An alias as the control plane wants it of the host `node-9`. */
export const aliasDoc = (fields: Partial<DesiredAlias> & Pick<DesiredAlias, "id">): DesiredAlias => ({
  revision: 1,
  server_name: "node-9",
  project_id: "1".repeat(24),
  container_id: "2".repeat(24),
  alias: "web",
  program: "http",
  port: 8080,
  index: 8080,
  target_path: null,
  allow_path_override: true,
  expires_at: null,
  enabled: true,
  ...fields,
});
