import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useRouterState,
} from "@tanstack/react-router";
import { useSession } from "./lib/session.ts";
import { SignInPage } from "./pages/sign-in/sign-in.tsx";
import { SignUpPage } from "./pages/sign-in/sign-up.tsx";
import { PAGES } from "./pages.ts";
import { Shell } from "./shell/shell.tsx";
import { ButtonLink } from "./ui/button.tsx";
import { ErrorNote } from "./ui/error-note.tsx";
import { Empty, PageHead, Skeleton } from "./ui/page.tsx";

/** Who is not signed in signs in where they are, and is then on the page that they asked for. */
function Root() {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (session === undefined) return path === "/sign-up" ? <SignUpPage /> : <SignInPage />;
  return (
    <Shell key={session.user.id} user={session.user}>
      <Outlet />
    </Shell>
  );
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => (
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
  ),
});

const routes = PAGES.map(({ path, load }) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load) }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  // The code of a page is fetched when the pointer is on the way to its link.
  defaultPreload: "intent",
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
  scrollRestoration: true,
});
