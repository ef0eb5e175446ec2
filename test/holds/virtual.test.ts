// A virtual model's hold covers each member that may serve, whatever a body has in it: it is never
// less than what each of them would be held for by itself.
import { expect, test } from "bun:test";
import { Catalogue } from "../../src/catalogue/catalogue.ts";
import { systemRandom } from "../../src/core/random.ts";
import { Channels } from "../../src/distribution/channels.ts";
import { VirtualModels } from "../../src/distribution/virtual-models.ts";
import { formats } from "../../src/formats/index.ts";
import {
  chainHoldOf,
  findText,
  holdMembers,
  type Grounds,
} from "../../src/gateway/text/open-text.ts";
import type { OpenTextNeeds } from "../../src/gateway/text/price-text.ts";
import type { TextInput } from "../../src/gateway/text/text-job.ts";
import { Prices } from "../../src/quota/prices.ts";
import { bounds, channelOf, drive } from "./drive.ts";
import { someCase, upstreamKinds, type HoldCase } from "./generate/cases.ts";
import { modelFor } from "./meter/worst-bill.ts";

const group = "default";
const name = "any-of-them";
const catalogue = new Catalogue();

/** A chain of the models that vendors of every kind have for the wire, the cheapest first. */
function needsFor(wire: HoldCase["wire"], isReversed: boolean): OpenTextNeeds {
  const channels = new Channels({ failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 });
  const kinds = isReversed ? upstreamKinds.toReversed() : upstreamKinds;
  channels.replace(
    kinds.map((kind) => ({
      ...channelOf(kind).settings,
      models: [modelFor(kind, wire)],
      groups: [group],
    })),
  );
  const virtualModels = new VirtualModels();
  const models = [...new Set(kinds.map((kind) => modelFor(kind, wire)))];
  virtualModels.replace([{ name, members: models.map((model) => ({ model })) }]);
  const prices = new Prices("refuse", catalogue);
  // Nothing is kept and nobody's wallet is looked at.
  const unused = { origins: null as never, balances: null as never, affinity: null as never };
  return { channels, virtualModels, random: systemRandom, prices, catalogue, bounds, ...unused };
}

interface Held {
  wholeMicros: number;
  firstMicros: number;
}

function holdOf({ wire, body }: HoldCase, isReversed: boolean): Held {
  const needs = needsFor(wire, isReversed);
  const isByAddress = /content/i.test(wire);
  const address = isByAddress ? { model: name, stream: false, framing: "events" as const } : null;
  const asked = JSON.parse(JSON.stringify(isByAddress ? body : { ...body, model: name }));
  const caller = { accountId: "acc_1", group, models: null, multiplierPpm: 1_000_000 };
  const input = {
    headers: new Headers(),
    call: { caller, scope: { requestId: "req_1" }, model: name },
    format: formats[wire],
    body: asked,
    bodyBytes: Buffer.byteLength(JSON.stringify(asked)),
    raw: null,
    written: [],
    address,
    action: "generate",
    wireHeaders: {},
  } as unknown as TextInput;
  const priced = findText(needs, input, formats[wire].read(asked, address));
  const wallet = { account: null, key: null } as never;
  const grounds: Grounds = { input, priced, wallet, bounded: null, conversation: null };
  if (!priced.chain) throw new RangeError("the name is a virtual one");
  const { ask, members } = chainHoldOf(needs, grounds, priced.chain);
  const first = holdMembers(grounds, members.slice(0, 1));
  return { wholeMicros: ask.micros, firstMicros: first.ask.micros };
}

/** Names of models are of several lengths, and a byte of the body is a token. */
const nameMicros = 2000;

test("the hold of a chain covers every member, and that of its first member does not", () => {
  const shortOf: number[] = [];
  let firstIsShort = 0;
  for (let seed = 0; seed < 400; seed++) {
    const one = someCase(seed);
    if (formats[one.wire].embedding) continue;
    const outcomes = upstreamKinds.map((upstream) => drive({ ...one, upstream }));
    const most = Math.max(
      0,
      ...outcomes.map((outcome) => (outcome.kind === "held" ? outcome.micros : 0)),
    );
    if (most === 0 || outcomes.some(({ kind }) => kind === "refused")) continue;
    for (const isReversed of [false, true]) {
      const { wholeMicros, firstMicros } = holdOf(one, isReversed);
      if (wholeMicros + nameMicros < most) shortOf.push(seed);
      if (firstMicros + nameMicros < most) firstIsShort++;
    }
  }
  expect(shortOf).toEqual([]);
  expect(firstIsShort).toBeGreaterThan(30);
});
