import { SettingError } from "./setting-error.ts";

/** Ports below it belong to root and to programs with CAP_NET_BIND_SERVICE, unless the machine says otherwise. */
const PRIVILEGED_BELOW = 1_024;

/**
 * Why a program cannot listen, in one line that says what to do.
 *
 * @param setting the setting or option that gives the ports
 */
export function listenFailure(setting: string, ports: readonly number[], cause: unknown): SettingError {
  const { code, message } = cause as { readonly code?: string; readonly message: string };
  const why = adviceOf(code, ports) ?? message;
  return new SettingError(`port ${ports.join(" or ")} (${setting}): ${why}`, { cause });
}

function adviceOf(code: string | undefined, ports: readonly number[]): string | undefined {
  if (code === "EADDRINUSE") return "another program listens there, `ss -ltnp` names it: give another port";
  if (code === "EACCES" && ports.some((port) => port > 0 && port < PRIVILEGED_BELOW))
    return "ports below 1024 belong to root: `sysctl net.ipv4.ip_unprivileged_port_start=80` lets all programs use them from 80 on, or give another port";
  return undefined;
}
