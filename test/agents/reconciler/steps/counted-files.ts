import * as files from "node:fs/promises";
import { step } from "./step.ts";

/**
 * `node:fs/promises` for the agent that is killed. What is renamed is whole from then on, and is a step; what is written in place or removed is
 * one only where every step is asked for.
 */
const isEach = process.env.BERTH_TEST_EVERY_STEP === "1";
const smallStep = (what: string) => isEach && step(what);

export const {
  access,
  appendFile,
  chmod,
  chown,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
} = files;
export const { readlink, realpath, rmdir, stat, statfs, symlink, truncate, unlink, utimes } = files;

export const rename: typeof files.rename = (from, to) => {
  step(`rename to ${to}`);
  return files.rename(from, to);
};
export const rm: typeof files.rm = (path, options) => {
  smallStep(`remove ${path}`);
  return files.rm(path, options);
};
export const writeFile: typeof files.writeFile = (file, data, options) => {
  smallStep(`write ${file}`);
  return files.writeFile(file, data, options);
};
