// Vendors sign what their models thought and want it back. It travels through clients of every
// other format, which know nothing of it, and comes back to its maker byte for byte, and to no one
// else.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect, Dialect } from "../../src/formats/exchange.ts";
import { formats } from "../../src/formats/index.ts";
import { aliasNames } from "../../src/formats/kit/tool-names.ts";
import { Conversion } from "../../src/gateway/text/conversion.ts";
import { toExchange } from "../../src/gateway/text/plan-text.ts";
import { choiceIn, nextRequest } from "./history.ts";
import {
  clientSide,
  dialects,
  frameOf,
  models,
  readRequest,
  sharedDialects,
  upstreamSide,
} from "./matrix.ts";
import { nativeTurn, proofsIn } from "./proofs.ts";
import { askOf, convertStream, scenes } from "./scenes.ts";
import { readers } from "./wire/index.ts";
import { at, type ToldChoice } from "./wire/told.ts";

const signed: Readonly<Record<UpstreamDialect, readonly string[]>> = {
  chat: ["reasoning", "signed reasoning"],
  responses: ["reasoning", "hidden reasoning"],
  messages: ["reasoning", "hidden reasoning"],
  content: ["text", "parallel calls", "reasoning"],
  converse: ["reasoning", "hidden reasoning"],
};

/**
 * Signed at their end, when all of a stream was written: behind the last text of an answer a block
 * of thinking would hide it, and this vendor takes its text back without it.
 */
const lateTexts: ReadonlySet<string> = new Set(["content text"]);

const encoder = new TextEncoder();
/** Google's clients read thoughts only when they ask for them, and must not lose them if not. */
const silentAsk = { contents: [{ role: "user", parts: [{ text: "Weather?" }] }] };

for (const maker of dialects) {
  for (const client of sharedDialects.filter((name) => name !== maker)) {
    const asks = client === "content" ? [askOf(client, ""), silentAsk] : [askOf(client, "")];

    describe(`what ${maker} signed, kept by a client of ${client},`, () => {
      for (const scene of signed[maker]) {
        const histories = asks.flatMap((ask) => historiesOf(maker, client, { scene, ask }));

        test(`comes back as it was: ${scene}`, () => {
          const native = proofsIn(maker, nativeTurn(maker, scenes[maker].wholes[scene] ?? {}));
          expect(native.length).toBeGreaterThan(0);
          for (const [at, history] of histories.entries()) {
            const back = proofsIn(maker, encode(client, maker, history));
            const isLate = client === "messages" && lateTexts.has(`${maker} ${scene}`);
            expect(back).toEqual(isLate && at === 1 ? [] : native);
          }
        });

        test(`goes to no other vendor: ${scene}`, () => {
          for (const history of histories) {
            for (const dialect of dialects.filter((name) => name !== maker)) {
              const body = JSON.stringify(encode(client, dialect, history));
              expect(body).not.toMatch(/sluice1|c2x1aWNlMT|gAAAAABo|ErUB|EmwK|Q3N/);
            }
          }
        });
      }
    });
  }
}

const noAliases = { names: new Map<string, string>(), ids: new Map<string, string>() };

/** The next request of a client that got the reply whole, and of one that got it streamed. */
function historiesOf(
  maker: UpstreamDialect,
  client: Dialect,
  { scene, ask }: { scene: string; ask: JsonObject },
): JsonObject[] {
  const frame = frameOf(client, ask);
  const sides = { client: clientSide(client), upstream: upstreamSide(maker) };
  const conversion = new Conversion({ ...sides, frame, ...noAliases });
  const whole = conversion.convertReply(scenes[maker].wholes[scene], new Uint8Array());
  const bytes = encoder.encode(scenes[maker].streams[scene]);
  const streamed = readers[client](convertStream(conversion, [bytes]));
  if (!whole) throw new Error(`${scene} is no reply`);
  const kept: Pick<ToldChoice, "turn" | "calls">[] = [
    choiceIn(client, whole.body),
    at(streamed.choices, 0),
  ];
  return kept.map((choice) => nextRequest(client, ask, choice));
}

function encode(client: Dialect, dialect: UpstreamDialect, body: JsonObject): JsonObject {
  const target = { model: at(models[dialect], 0), stream: false, outputTokensMax: 8192 };
  const request = readRequest(formats[client], body, false);
  if (client === dialect) return formats[client].forward(body, target);
  const upstream = upstreamSide(dialect);
  const { exchange } = aliasNames(toExchange(formats[client], body, request), upstream);
  return upstream.encodeRequest(exchange, target).body;
}
