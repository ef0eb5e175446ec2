// The two ways in which an agent is told where the gateway is: by hand, and by `sluice setup`, which
// has to leave the home as it was before.
import { programWords } from "../harness/nodes/program.ts";
import type { Access, Agent, Settings } from "./agent.ts";
import type { Home } from "./home.ts";

interface Place {
  agent: Agent;
  access: Access;
  home: Home;
}

export interface Way {
  name: "by hand" | "setup";
  tell(place: Place): Promise<Pick<Settings, "environment" | "words">>;
  /** Says what was not put back. */
  untell(place: Place): Promise<string[]>;
}

export const byHand: Way = {
  name: "by hand",
  async tell({ agent, access, home }) {
    const { files = {}, ...rest } = agent.settings(access);
    for (const [path, text] of Object.entries(files)) home.put(path, text);
    return rest;
  },
  untell: async () => [],
};

export const bySetup: Way = {
  name: "setup",
  async tell(place) {
    const before = place.home.texts();
    await setUp(place);
    await sluice(place, ["--undo"]);
    if (!Bun.deepEquals(place.home.texts(), before)) throw new Error("--undo left another home");
    await setUp(place);
    return {};
  },
  async untell(place) {
    await sluice(place, ["--undo"]);
    const { url, key } = place.access;
    return [...place.home.texts()]
      .filter(([, text]) => text.includes(key) || text.includes(url))
      .map(([name]) => `after --undo ${name} has the key or the address`);
  },
};

async function setUp(place: Place): Promise<void> {
  await sluice(place, ["--url", place.access.url, "--model", place.access.model]);
}

async function sluice({ agent, access, home }: Place, words: readonly string[]): Promise<void> {
  const command = [...programWords(), "setup", agent.setupName, ...words];
  const { exitCode, remarks } = await home.run(command, { SLUICE_KEY: access.key });
  if (exitCode !== 0) throw new Error(`sluice setup ended with ${exitCode}: ${remarks}`);
}
