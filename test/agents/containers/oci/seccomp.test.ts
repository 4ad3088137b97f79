import { expect, test } from "bun:test";
import { seccompOf } from "../../../../agents/containers/oci/seccomp.ts";

const rule = (names: string[], fields: object = {}) => ({ names, action: "SCMP_ACT_ALLOW", ...fields });
const of = (...syscalls: object[]) =>
  seccompOf(["CAP_CHOWN"], { defaultErrnoRet: 38, syscalls }, "x64").syscalls;
const allowed = (rules: ReturnType<typeof of>) =>
  rules.filter(({ action, args }) => action === "SCMP_ACT_ALLOW" && !args).flatMap(({ names }) => names);

test("what no container may is allowed by no rule, whatever the profile says", () => {
  const names = [
    "read",
    "clone",
    "clone3",
    "unshare",
    "keyctl",
    "io_uring_setup",
    "perf_event_open",
    "socket",
    "mount",
  ];
  const rules = of(rule(names), rule(["setns"]));
  expect(allowed(rules)).toEqual(["read"]);
  const refused = rules.filter(({ action }) => action === "SCMP_ACT_ERRNO").flatMap(({ names }) => names);
  for (const name of ["clone3", "keyctl", "io_uring_setup", "perf_event_open", "mount"])
    expect(refused).toContain(name);
});

test("a rule for a capability or an architecture counts where containers have it", () => {
  const rules = of(
    rule(["chown"], { includes: { caps: ["CAP_CHOWN"] } }),
    rule(["reboot"], { includes: { caps: ["CAP_SYS_BOOT"] } }),
    rule(["arch_prctl"], { includes: { arches: ["amd64", "x32"] } }),
    rule(["s390_pci_mmio_read"], { includes: { arches: ["s390"] } }),
    rule(["write"], { excludes: { caps: ["CAP_CHOWN"] } }),
  );
  expect(allowed(rules)).toEqual(["chown", "arch_prctl"]);
});

test("a file of another form is refused", () => {
  expect(() => seccompOf([], { syscalls: "all" }, "x64")).toThrow("is no profile of system calls");
  expect(() => seccompOf([], { defaultErrnoRet: 38, syscalls: [] }, "s390x")).toThrow("s390x");
});
