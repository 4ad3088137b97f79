/**
 * Docker's default capabilities, without MKNOD: a container's devices are made for it. They hold in its user namespace alone, and
 * lead nowhere out of it.
 */
export const CAPABILITIES = [
  "CAP_AUDIT_WRITE",
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_NET_BIND_SERVICE",
  "CAP_NET_RAW",
  "CAP_SETFCAP",
  "CAP_SETGID",
  "CAP_SETPCAP",
  "CAP_SETUID",
  "CAP_SYS_CHROOT",
];

/** Those of a process by its user: only root has them at once, and another user by a program with the set-user-id bit. */
export const capabilitiesOf = (uid: number) => ({
  bounding: CAPABILITIES,
  ...(uid === 0 ? { effective: CAPABILITIES, permitted: CAPABILITIES } : {}),
});
