/** Folders that an ordinary user's PATH often lacks, though the servers' packages install there. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin"];

/** Where programs are looked for: PATH first, then the system's own folders. */
export function searchFolders(): string[] {
  return [...(process.env.PATH ?? "").split(":").filter((folder) => folder !== ""), ...SYSTEM_FOLDERS];
}

/** The path of an executable, or undefined. `folders` are searched in order. */
export function findProgram(name: string, folders: readonly string[] = searchFolders()): string | undefined {
  // An empty PATH would make Bun.which fall back to the process's own.
  return folders.length === 0 ? undefined : (Bun.which(name, { PATH: folders.join(":") }) ?? undefined);
}
