import { lazy, type ReactNode, Suspense, useState } from "react";
import { queryClient } from "../../lib/queries.ts";
import { readAgain } from "../../lib/read-again.ts";
import { useSecondFactor } from "../../lib/second-factor.ts";
import { Skeleton } from "../../ui/page.tsx";

const RequiredSetUp = lazy(() => import("./required-set-up.tsx"));

/** Where the operator requires a second factor of administrators, they first set one up and keep its recovery codes. */
export function SetUpFirst({ children }: { children: ReactNode }) {
  const { data } = useSecondFactor();
  const [isKeeping, setKeeping] = useState(false);
  const isMissing = data?.required === true && !data.enabled;
  // The codes are on the page until they are kept, though the second factor is set up by then.
  if (isMissing && !isKeeping) setKeeping(true);
  if (!isMissing && !isKeeping) return children;
  const leave = () => {
    setKeeping(false);
    void readAgain(queryClient);
  };
  return (
    <Suspense fallback={<Skeleton />}>
      <RequiredSetUp onKept={leave} />
    </Suspense>
  );
}
