// A vendor's reply as a client of a format can be told it at best: ends and citations in the words
// that the format has, and calls by the names and inputs that the client gave their tools.
import type {
  CallPart,
  Citation,
  UpstreamDialect,
  Reply,
  ReplyChoice,
  ReplyPart,
  StopReason,
} from "../../src/formats/exchange.ts";
import { CallRestorer } from "../../src/gateway/text/restore-calls.ts";
import { aliasNames } from "../../src/formats/kit/tool-names.ts";
import { frameOf, upstreamSide, type ClientName } from "../golden/matrix.ts";
import { askOf } from "../golden/scenes.ts";

type Ends = Readonly<Partial<Record<StopReason, StopReason>>>;

const openaiEnds: Ends = { "stop-sequence": "stop", context: "length", pause: "length" };
const failures: Ends = { malformed: "filter", other: "filter" };
/** Only where the format has no word of its own. */
const ends: Readonly<Record<ClientName, Ends>> = {
  chat: { ...openaiEnds, ...failures },
  completions: { ...openaiEnds, ...failures, calls: "stop" },
  responses: { ...openaiEnds, other: "filter" },
  messages: failures,
  content: { ...openaiEnds, pause: "stop" },
};

/** A client's hearing of a vendor, and its way. */
export interface Hearing {
  client: ClientName;
  upstream: UpstreamDialect;
  way: "whole" | "streamed";
}

export function viewOf(reply: Reply, hearing: Hearing, scene: string): Reply {
  const { client, upstream } = hearing;
  const { exchange } = frameOf(client, askOf(client, scene));
  const { names, ids } = aliasNames(exchange, upstreamSide(upstream));
  const { tools } = exchange;
  const restored = new CallRestorer({ names, ids, tools }).restoreReply(reply);
  return { ...restored, choices: restored.choices.map((choice) => choiceFor(choice, hearing)) };
}

function choiceFor(choice: ReplyChoice, hearing: Hearing): ReplyChoice {
  const { client } = hearing;
  const parts = choice.parts.map((part) => partFor(part, hearing));
  // A refusal that is an end and not a part is told as that.
  const isRefused = parts.some(({ kind }) => kind === "refusal") && choice.stop === "stop";
  const isEnd = isRefused && (client === "messages" || client === "content");
  const stop = isEnd ? "filter" : (ends[client][choice.stop] ?? choice.stop);
  return { ...choice, parts, stop };
}

function partFor(part: ReplyPart, hearing: Hearing): ReplyPart {
  if (part.kind === "call") return callFor(part, hearing);
  if (part.kind !== "text" || !part.citations) return part;
  return { ...part, citations: part.citations.filter((one) => canCite(one, hearing.client)) };
}

function canCite({ url, document }: Citation, client: ClientName): boolean {
  if (client === "chat") return url !== null;
  return client !== "messages" || url !== null || document !== null;
}

/** An input that was cut short is text inside of an object, in formats whose inputs are objects. */
function callFor(call: CallPart, { client, way }: Hearing): CallPart {
  const holdsObjects = client === "content" || (client === "messages" && way === "whole");
  if (!holdsObjects || call.input === "" || isJson(call.input)) return call;
  return { ...call, input: JSON.stringify({ input: call.input }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
