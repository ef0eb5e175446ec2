// Times what finds a request's conversation, in a loop of one process: by an id, by the longest
// opening that is read, and where there is none.
import type { AccountId, ChannelId } from "../../src/core/ids.ts";
import { systemClock } from "../../src/core/clock.ts";
import { Affinity } from "../../src/distribution/affinity.ts";
import { Channel } from "../../src/distribution/channel.ts";
import { unsetSettings } from "../../src/distribution/unset-settings.ts";
import { formats } from "../../src/formats/index.ts";
import { conversationOf } from "../../src/gateway/text/affinity/conversation.ts";

export interface AffinityCosts {
  readonly openingMicros: number;
  readonly idMicros: number;
  readonly noneMicros: number;
}

const rounds = 200;
/** Short enough to fit between two turns of a busy machine's scheduler. */
const callsPerRound = 200;

export function measureAffinity(): AffinityCosts {
  console.error("conversations");
  const long = "An opening of which more is there than is read. ".repeat(200);
  const plain = { authorization: "Bearer sk-bench", "content-type": "application/json" };
  const opening = [
    { role: "system", content: long },
    { role: "user", content: long },
  ];
  const short = [{ role: "user", content: "Hello." }];
  const id = crypto.randomUUID();
  return {
    openingMicros: timeOf(opening, plain),
    idMicros: timeOf(opening, { ...plain, "x-session-affinity": id }),
    noneMicros: timeOf(short, plain),
  };
}

function timeOf(messages: object[], named: Record<string, string>): number {
  const affinity = new Affinity({ clock: systemClock, isOn: true });
  const text = JSON.stringify({ model: "bench", messages });
  const input = {
    format: formats.chat,
    body: JSON.parse(text),
    bodyBytes: text.length,
    headers: new Headers(named),
    call: { caller: { accountId: "acc_bench" as AccountId } },
  };
  const request = formats.chat.read(input.body, null);
  const priced = { request, serving: [channelOf()], price: { isCacheCheaper: true } };
  const micros = Array.from({ length: rounds }, () => {
    const startedAt = Bun.nanoseconds();
    for (let count = 0; count < callsPerRound; count++) conversationOf(affinity, input, priced);
    return (Bun.nanoseconds() - startedAt) / callsPerRound / 1000;
  });
  // The first rounds are the compiler's, and others whoever else runs here: the least is its own.
  return Math.min(...micros);
}

function channelOf(): Channel {
  const keys = [0, 1, 2].map((position) => ({
    position,
    text: `sk-bench-${position}`,
    isEnabled: true,
  }));
  return new Channel(
    {
      ...unsetSettings,
      id: "chn_bench" as ChannelId,
      name: "bench",
      type: "openai",
      baseUrl: "http://127.0.0.1",
      models: ["bench"],
      groups: ["default"],
      keys,
      allowPrivate: true,
      keepsKeys: false,
    },
    { failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 1000 },
  );
}
