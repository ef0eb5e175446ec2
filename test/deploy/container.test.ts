// The image without a Docker daemon: rules for what it is made by, and what it is made of, gathered
// by the script that the build runs and started as a container would be.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { Folder } from "../harness/folder.ts";
import { missingProgram, testNeeding } from "../harness/requirements.ts";
import { builtFolder, builtMsMax } from "./built.ts";
import { execForm, readStages, wordsOf } from "./dockerfile.ts";
import { greet } from "./greeted.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const imageBytesMax = 150_000_000;

describe("the Dockerfile", () => {
  const stages = readStages(read("Dockerfile"));
  const [build, last] = [stages[0], stages.at(-1)];
  if (!build || !last) throw new Error("the Dockerfile has no stages");

  test("has two stages, the first of a pinned image and the last of none", () => {
    expect(stages.map(({ name }) => name)).toEqual(["build", null]);
    expect(build.image).toMatch(/^node:\d+\.\d+\.\d+-/);
    expect(last.image).toBe("scratch");
  });

  test("runs as a user of its own, has one volume, and asks itself how it is", () => {
    expect(wordsOf(last, "USER")).toEqual(["10001:10001"]);
    expect(wordsOf(last, "VOLUME").flatMap(execForm)).toEqual(["/data"]);
    const [check = ""] = wordsOf(last, "HEALTHCHECK");
    expect(execForm(check)).toEqual(["/usr/local/bin/sluice", "health"]);
    expect(wordsOf(last, "ENTRYPOINT").flatMap(execForm)).toEqual(["/usr/local/bin/sluice"]);
    expect(wordsOf(last, "STOPSIGNAL")).toEqual(["SIGTERM"]);
  });

  test("copies what is there and what the context lets in, and adds or installs nothing else", () => {
    const ignored = read(".dockerignore").split("\n");
    const copied = wordsOf(build, "COPY").flatMap((words) => words.split(" ").slice(0, -1));
    for (const path of copied) {
      expect(existsSync(join(root, path))).toBe(true);
      expect(ignored).toContain(`!${path}`);
    }
    expect(ignored[0]).toBe("*");
    const everything = stages.flatMap(({ instructions }) => instructions);
    expect(everything.filter(({ name }) => name === "ADD")).toEqual([]);
    const variables = everything.filter(({ name }) => name === "ENV" || name === "ARG");
    expect(variables.filter(({ words }) => /KEY|TOKEN|PASSWORD|SECRET/.test(words))).toEqual([]);
    const runs = wordsOf(build, "RUN").join(" ");
    expect(runs).not.toMatch(/sudo|curl|wget|apt-get/);
    for (const [path] of runs.matchAll(/\b(?:bin|deploy)\/[\w./-]+/g)) {
      expect(existsSync(join(root, path))).toBe(true);
    }
  });
});

describe("compose.yaml", () => {
  interface Service {
    profiles: string[];
    ports?: string[];
    volumes: string[];
    read_only: boolean;
    cap_drop: string[];
    security_opt: string[];
    stop_grace_period: string;
    privileged?: boolean;
    environment?: Record<string, string>;
  }
  const file = parse(read("compose.yaml"), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  test("has one container in the profile single, which may do little and is given time to end", () => {
    const { gateway } = file.services;
    expect(gateway).toMatchObject({
      profiles: ["single"],
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      stop_grace_period: "90s",
    });
    expect(gateway?.privileged).toBeUndefined();
    for (const port of gateway?.ports ?? []) expect(port).toStartWith("127.0.0.1:");
    for (const volume of gateway?.volumes ?? []) {
      expect(Object.keys(file.volumes)).toContain(volume.split(":")[0] ?? "");
    }
  });

  test("has three nodes in the profile cluster that share everything but a folder", () => {
    const { node1, node2, node3 } = file.services;
    const nodes = [node1, node2, node3];
    expect(nodes.map((node) => node?.environment)).toEqual(nodes.map(() => node1?.environment));
    expect(Object.keys(node1?.environment ?? {})).toContain("SLUICE_DATABASE_URL");
    const folders = nodes.map((node) => node?.volumes.find((one) => one.endsWith(":/data")));
    expect(new Set(folders).size).toBe(3);
    for (const [name, service] of Object.entries(file.services)) {
      expect(service.profiles).toEqual([name === "gateway" ? "single" : "cluster"]);
      expect(service.privileged).toBeUndefined();
      for (const port of service.ports ?? []) expect(port).toStartWith("127.0.0.1:");
      for (const [from = ""] of (service.volumes ?? []).map((volume) => volume.split(":"))) {
        const isThere = from.startsWith("./")
          ? existsSync(join(root, from))
          : Object.hasOwn(file.volumes, from);
        expect(`${from}: ${isThere}`).toBe(`${from}: true`);
      }
    }
  });

  const testWithCompose = testNeeding("docker-compose", missingCompose());
  for (const profile of ["single", "cluster"]) {
    testWithCompose(`is what the real compose reads as ${profile}`, () => {
      const command = ["docker", "compose", "--profile", profile, "config", "--quiet"];
      const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root });
      expect(`${exitCode} ${stderr.toString()}`).toBe("0 ");
    });
  }
});

describe("the image's root file system", () => {
  const folder = new Folder();
  afterAll(() => folder[Symbol.dispose]());
  const image = join(folder.path, "image");
  beforeAll(async () => {
    const script = join(root, "deploy", "container", "root.sh");
    const words = ["sh", script, join(await builtFolder(), "sluice"), image];
    const { exitCode, stderr } = Bun.spawnSync(words);
    if (exitCode !== 0) throw new Error(stderr.toString());
  }, builtMsMax);

  test("is less than 150 MB, and has no shell", () => {
    const files = readdirSync(image, { recursive: true, encoding: "utf8" });
    const bytes = files.map((path) => lstatSync(join(image, path)).size);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(imageBytesMax);
    expect(files.filter((path) => /(?:^|\/)(?:sh|bash|node|npm)$/.test(path))).toEqual([]);
  });

  const testWithMounts = testNeeding("mounts", missingMounts());
  testWithMounts("N17 serves, read-only but for its volume, as a user without rights", async () => {
    const inside = [
      `mount --bind '${image}' '${image}'`,
      `mount -o remount,ro,bind '${image}'`,
      `mount -t tmpfs -o uid=10001,gid=10001,mode=0700 tmpfs '${image}/data'`,
      `mount --rbind /proc '${image}/proc'`,
      `mount --rbind /dev '${image}/dev'`,
      `exec chroot --userspec=10001:10001 '${image}' /usr/local/bin/sluice serve`,
    ].join(" && ");
    const command = ["unshare", "--mount", "sh", "-c", inside];
    const variables = { PATH: process.env["PATH"] ?? "", PORT: "0", SLUICE_DATA: "/data" };
    await using gateway = await greet(command, folder.path, variables);
    const hello = { model: "chatA", messages: [{ role: "user", content: "Hello" }] };
    expect((await gateway.post("/v1/chat/completions", hello)).status).toBe(200);
    const status = readFileSync(`/proc/${gateway.process.pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(await gateway.stop()).toBe(0);
  });
});

function missingCompose(): string | null {
  const missing = missingProgram("docker");
  if (missing !== null || runs(["docker", "compose", "version"])) return missing;
  return "docker has no compose";
}

function missingMounts(): string | null {
  const isRoot = process.getuid?.() === 0;
  const isAllowed = isRoot && process.platform === "linux" && runs(["unshare", "--mount", "true"]);
  return isAllowed ? null : "only root of a Linux makes mounts of its own";
}

function runs(command: string[]): boolean {
  return Bun.spawnSync(command).exitCode === 0;
}
