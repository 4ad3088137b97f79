import { expect, test } from "bun:test";
import { faultOfVolumes } from "../../../schemas/hosting/volume-paths.ts";

const faultOf = (...paths: string[]) => faultOfVolumes(paths.map((path) => ({ path })));

test("paths of volumes are plain, outside of what the host makes, and outside of each other", () => {
  expect(faultOf("/data", "/var/lib/data", "/database", "/etc/app", "/devices")).toBeUndefined();
  for (const path of ["/a/../b", "/a/./b", "/..", "/a/.."])
    expect(faultOf(path)?.fault).toContain(". and ..");
  for (const path of ["/a/", "/a//b", "//"]) expect(faultOf(path)?.fault).toContain("a name after each /");
  for (const path of ["/proc", "/proc/1", "/sys", "/dev/shm", "/.berth/bin"])
    expect(faultOf(path)?.fault).toContain("which its host makes");
  expect(faultOf("/etc")?.fault).toContain("must not be /etc");
  expect(faultOf("/ok", "/data", "/data")).toEqual({ at: 1, fault: "lies within the path of volume 2" });
  expect(faultOf("/data/cache", "/data")).toEqual({ at: 0, fault: "lies within the path of volume 1" });
});
