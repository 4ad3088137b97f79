import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  useRouterState,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { CONSOLE_PATHS } from "../paths.ts";
import { useSession, whenSignedOut } from "./lib/session.ts";
import { SetUpFirst } from "./pages/account/set-up-first.tsx";
import { SignInPage } from "./pages/sign-in/sign-in.tsx";
import { PAGES } from "./pages.ts";
import { Shell } from "./shell/shell.tsx";
import { ButtonLink } from "./ui/button.tsx";
import { ErrorNote } from "./ui/error-note.tsx";
import { Wordmark } from "./ui/icons.tsx";
import { Empty, PageHead, Skeleton } from "./ui/page.tsx";

const SignUpPage = lazy(() => import("./pages/sign-in/sign-up.tsx"));

/** Whoever is signed in has nothing to do there. */
const ENTRANCES: ReadonlySet<string> = new Set(["/sign-in", "/sign-up"]);

/** Who is not signed in signs in where they are, and is then on the page that they asked for. */
function Root() {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (session === undefined)
    return path === "/sign-up" ? (
      <Suspense fallback={null}>
        <SignUpPage />
      </Suspense>
    ) : (
      entranceAt(path)
    );
  if (ENTRANCES.has(path)) return <Navigate to="/" replace />;
  const shell = (
    <Shell key={session.user.id} user={session.user}>
      {path.startsWith("/operator") && session.user.role !== "admin" ? <NotFound /> : <Outlet />}
    </Shell>
  );
  return session.user.role === "admin" ? <SetUpFirst>{shell}</SetUpFirst> : shell;
}

const entranceAt = (path: string) =>
  path === "/" || CONSOLE_PATHS.some((page) => path === page || path.startsWith(`${page}/`)) ? (
    <SignInPage />
  ) : (
    <main className="entrance">
      <Wordmark />
      <NotFound />
    </main>
  );

const NotFound = () => (
  <>
    <PageHead title="Not found" />
    <Empty
      icon="search"
      title="There is no such page"
      action={
        <ButtonLink to="/" look="primary">
          To the home page
        </ButtonLink>
      }
    >
      The address may be mistyped, or what it led to is gone.
    </Empty>
  </>
);

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound });

const routes = PAGES.map(({ path, hasTabs, load }) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: hasTabs ? `${path}/{-$tab}` : path,
    component: lazyRouteComponent(load),
  }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  // The code of a page is fetched when the pointer is on the way to its link.
  defaultPreload: "intent",
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
  scrollRestoration: true,
});

whenSignedOut(() => void router.navigate({ to: "/", replace: true, ignoreBlocker: true }));
