import { documentOf } from "../../../gateway/openapi/document.ts";
import { appRoutes } from "../auth/app-routes.ts";

/** Prints the description of the whole API, as a gateway gives it that has just started. */

console.log(JSON.stringify(documentOf(appRoutes(), "0.1.0")));
