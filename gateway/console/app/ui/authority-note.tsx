import { AUTHORITY_PATH } from "../../paths.ts";
import { HAS_OWN_AUTHORITY } from "../lib/installation.ts";

/** How a browser is told to trust the https addresses of containers, where they are not of a public authority. */
export const AuthorityNote = () =>
  HAS_OWN_AUTHORITY && (
    <p className="hint">
      Browsers warn of these addresses, because an authority of this installation has signed their
      certificates. To trust it, download{" "}
      <a href={AUTHORITY_PATH} download="berth-ca.pem">
        berth-ca.pem
      </a>{" "}
      and import it under Authorities in your browser&apos;s or system&apos;s certificates. It is good for
      addresses of containers alone. For the command line: <code>berth context trust</code>.
    </p>
  );
