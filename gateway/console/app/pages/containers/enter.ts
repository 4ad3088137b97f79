import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { messageOf } from "../../lib/messages.ts";
import { toast } from "../../lib/toasts.ts";

type Service = keyof Schemas["ContainerAccess"]["urls"];

/** @throws Error in words where a permission is for other services alone */
export function urlOf(urls: Schemas["ContainerAccess"]["urls"], service: Service): string {
  const url = urls[service];
  if (url === undefined) throw new Error(`You may not enter the ${service} of this container.`);
  return url;
}

/** An address of a container's service with a credential for it, which is good for five minutes. */
export async function entranceTo(
  containerId: string,
  service: Service,
  query = "",
  path = "/",
): Promise<string> {
  const params = { path: { id: containerId } };
  const { access_token, urls } = await dataOf(api.POST("/api/v1/containers/{id}/access", { params }));
  return `${urlOf(urls, service)}${path}?${query === "" ? "" : `${query}&`}access_token=${encodeURIComponent(access_token)}`;
}

/** Whether its image declares a desktop (docs/display.md). Without an image it has the programs of its host, which may have one. */
export const hasDesktop = ({ image }: Pick<Schemas["Container"], "image">): boolean =>
  image === null || image.programs?.includes("display") === true;

const FIRST_DISPLAY = "/display/1";

/** Opens the first desktop of a container in a tab of its own. */
export const openDesktop = (containerId: string): Promise<void> =>
  openInTab(containerId, "terminal", "", FIRST_DISPLAY);

/** Opens a service in a tab of its own. */
export async function openInTab(
  containerId: string,
  service: Service,
  query?: string,
  path?: string,
): Promise<void> {
  // Opened before the credential is asked for: browsers let a page open another only while a press is handled.
  const tab = window.open("about:blank", "_blank");
  try {
    const address = await entranceTo(containerId, service, query, path);
    if (tab === null) location.assign(address);
    else tab.location.replace(address);
  } catch (thrown) {
    tab?.close();
    toast(messageOf(thrown), "failed");
  }
}
