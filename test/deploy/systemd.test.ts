import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../harness/folder.ts";
import { missingProgram, testNeeding } from "../harness/requirements.ts";

const unit = readFileSync(
  join(import.meta.dir, "..", "..", "deploy", "systemd", "sluice.service"),
  "utf8",
);
const exposureMax = 2;

test("the systemd unit gives the drain its time and has the program in nothing but its own folder", () => {
  const settings = new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  expect(Number(settings.get("TimeoutStopSec"))).toBeGreaterThan(60);
  expect(settings.get("ProtectSystem")).toBe("strict");
  expect(settings.get("DynamicUser")).toBe("yes");
  expect(settings.get("Environment")).toBe(
    `SLUICE_DATA=/var/lib/${settings.get("StateDirectory")}`,
  );
  // The runtime compiles to machine code, which this would forbid.
  expect(settings.has("MemoryDenyWriteExecute")).toBe(false);
});

const testWithSystemd = testNeeding("systemd-analyze", missingProgram("systemd-analyze"));

testWithSystemd("the unit is verified by systemd, which finds little to take away", async () => {
  const analyze = "systemd-analyze";
  using folder = new Folder();
  const path = join(folder.path, "sluice.service");
  // It wants to see the executable, which is not installed here.
  await Bun.write(path, unit.replaceAll("/usr/local/bin/sluice", process.execPath));
  const verified = Bun.spawnSync([analyze, "verify", path]);
  expect(`${verified.exitCode} ${verified.stderr.toString()}`).toBe("0 ");
  const judged = Bun.spawnSync([analyze, "security", "--offline=yes", "--no-pager", path]);
  const [, exposure] =
    /Overall exposure level for sluice\.service: ([\d.]+)/.exec(judged.stdout.toString()) ?? [];
  expect(Number(exposure)).toBeLessThan(exposureMax);
});
