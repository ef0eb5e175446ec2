import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../config/load.ts";
import { createLog } from "../../core/log.ts";
import { environmentOf } from "./node-environment.ts";
import { Nodes, type NodeNews } from "./nodes.ts";
import { assertNodes } from "./run-nodes.ts";

class Child {
  readonly signals: string[] = [];
  readonly #end = Promise.withResolvers<string>();
  readonly number: number;
  readonly news: NodeNews;

  constructor(number: number, news: NodeNews) {
    this.number = number;
    this.news = news;
  }

  get exited(): Promise<string> {
    return this.#end.promise;
  }

  signal(name: string): void {
    this.signals.push(name);
    if (name === "SIGTERM") this.die("code 0");
  }

  serve(): void {
    this.news.ready({ url: `http://node${this.number}`, token: "t" });
  }

  die(how: string): void {
    this.#end.resolve(how);
  }
}

/** Nodes whose children and time the test moves. */
class Stand {
  readonly children: Child[] = [];
  readonly pauses: number[] = [];
  nowMs = 0;
  readonly nodes = new Nodes({
    count: 2,
    spawn: (number, news) => {
      const child = new Child(number, news);
      this.children.push(child);
      return child;
    },
    changed: () => {},
    clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs },
    timers: {
      after: (delayMs, run) => {
        this.pauses.push(delayMs);
        queueMicrotask(run);
        return () => {};
      },
      every: () => () => {},
    },
    log: createLog({
      level: "error",
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      timers: { after: () => () => {}, every: () => () => {} },
      write: () => {},
    }),
  });

  at(place: number): Child {
    const child = this.children[place];
    if (!child) throw new Error(`there is no child ${place}`);
    return child;
  }

  async begin(): Promise<void> {
    const begun = this.nodes.begin();
    this.at(0).serve();
    await settle();
    this.at(1).serve();
    await begun;
  }
}

/** Lets everything that waits for no timer go on. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the process in front of nodes", () => {
  test("starts the first alone and then the rest", async () => {
    const stand = new Stand();
    const begun = stand.nodes.begin();
    await settle();
    expect(stand.children.map(({ number }) => number)).toEqual([1]);
    stand.at(0).serve();
    await settle();
    expect(stand.children.map(({ number }) => number)).toEqual([1, 2]);
    stand.at(1).serve();
    await begun;
    expect(stand.nodes.address).toEqual({ url: "http://node1", token: "t" });
  });

  test("ends all when one does not start", async () => {
    const stand = new Stand();
    const begun = stand.nodes.begin();
    stand.at(0).serve();
    await settle();
    stand.at(1).die("code 1");
    await expect(begun).rejects.toThrow("node 2 did not start: it ended with code 1");
    expect(stand.at(0).signals).toEqual(["SIGTERM"]);
  });

  test("starts again what its database left on the way, once that was ever there", async () => {
    const stand = new Stand();
    const begun = stand.nodes.begin();
    stand.at(0).news.reached();
    stand.at(0).die("code 75");
    await settle();
    stand.at(1).die("code 75");
    await settle();
    stand.at(2).serve();
    await settle();
    // The first has served and dies while the second starts.
    stand.at(2).die("SIGKILL");
    stand.at(3).die("code 75");
    await settle();
    const numbers = stand.children.map(({ number }) => number);
    expect(numbers.toSorted()).toEqual([1, 1, 1, 1, 2, 2]);
    for (const child of stand.children.slice(-2)) child.serve();
    await begun;
    expect(stand.nodes.address?.url).toBe("http://node1");
    const never = new Stand();
    const ended = never.nodes.begin();
    never.at(0).die("code 75");
    await expect(ended).rejects.toThrow("node 1 did not start: it ended with code 75");
  });

  test("ends while a start waits for its database", async () => {
    const stand = new Stand();
    const begun = stand.nodes.begin();
    stand.at(0).news.reached();
    stand.at(0).die("code 75");
    await stand.nodes.end();
    await begun;
    expect(stand.children.length).toBe(1);
  });

  test("starts again what dies, at once and then at a growing pace", async () => {
    const stand = new Stand();
    await stand.begin();
    for (let death = 2; death < 6; death++) {
      const child = stand.children.at(death === 2 ? 0 : -1);
      child?.die("SIGKILL");
      await settle();
      expect(stand.children.at(-1)?.number).toBe(1);
    }
    expect(stand.pauses).toEqual([0, 500, 1000, 2000]);
    expect(stand.nodes.address).toEqual({ url: "http://node2", token: "t" });
    stand.children.at(-1)?.serve();
    expect(stand.nodes.address?.url).toBe("http://node1");
    stand.nowMs += 60_000;
    stand.children.at(-1)?.die("code 1");
    await settle();
    expect(stand.pauses.at(-1)).toBe(0);
  });

  test("passes signals on, and starts nothing once it ends", async () => {
    const stand = new Stand();
    await stand.begin();
    stand.nodes.signal("SIGHUP");
    await stand.nodes.end();
    await settle();
    expect(stand.children.map(({ signals }) => signals)).toEqual([
      ["SIGHUP", "SIGTERM"],
      ["SIGHUP", "SIGTERM"],
    ]);
    expect(stand.children.length).toBe(2);
  });
});

describe("what a node is started with", () => {
  const database = { SLUICE_DATABASE_URL: "postgres://u@h/d", SLUICE_SECRET: "s".repeat(32) };
  const load = (environment: Record<string, string>) =>
    loadConfig({ environment, readFile: () => null });
  const place = { number: 2, count: 4, port: 3000, ownPort: 3102 };

  test("has its number, its folder and the media of all", async () => {
    const said = { ...database, SLUICE_DATA: "/var/sluice", PORT: "0", EMPTY: undefined };
    const { EMPTY: _empty, ...given } = said;
    expect(environmentOf(await load(given), said, place)).toEqual({
      ...database,
      PORT: "3000",
      SLUICE_DATA: "/var/sluice/nodes/2",
      SLUICE_NODE: "2/4",
      SLUICE_NODE_PORT: "3102",
      SLUICE_MEDIA_FOLDER: "/var/sluice/media",
    });
  });

  test("keeps the media that were named", async () => {
    const said = { ...database, SLUICE_MEDIA_FOLDER: "/mnt/all" };
    expect(environmentOf(await load(said), said, place)["SLUICE_MEDIA_FOLDER"]).toBe("/mnt/all");
  });

  test("is refused without a database, and where ports cannot be shared", async () => {
    const [none, some] = [await load({}), await load(database)];
    expect(() => assertNodes(none, "linux")).toThrow("--nodes needs SLUICE_DATABASE_URL");
    expect(() => assertNodes(some, "darwin")).toThrow("--nodes needs Linux");
    expect(() => assertNodes(some, "linux")).not.toThrow();
  });
});
