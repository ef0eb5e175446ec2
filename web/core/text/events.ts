// Streams of the formats: their events, and what each adds to an answer.
import type { Picture, TextFormat, ToolCall } from "./formats.ts";

/** A part of a call: those with the same place are one call. */
export interface CallPiece extends Partial<ToolCall> {
  place: string;
}

export interface Piece {
  text: string;
  calls: readonly CallPiece[];
  pictures: readonly Picture[];
}

interface Inline {
  mimeType?: string;
  data?: string;
}

/** The parts of any format's event that are read here. */
interface StreamEvent {
  type?: string;
  index?: number;
  output_index?: number;
  error?: { message?: string };
  response?: { error?: { message?: string } | null };
  choices?: { delta?: ChatDelta }[];
  delta?: string | { text?: string; partial_json?: string };
  content_block?: { type?: string; id?: string; name?: string };
  item?: {
    type?: string;
    call_id?: string;
    name?: string;
    arguments?: string;
    result?: string;
    output_format?: string;
  };
  candidates?: { content?: { parts?: ContentPart[] } }[];
}

interface ChatDelta {
  content?: string | null;
  tool_calls?: {
    index?: number;
    id?: string;
    function?: { name?: string; arguments?: string };
  }[];
  images?: { image_url?: { url?: string } }[];
}

interface ContentPart {
  text?: string;
  thought?: boolean;
  inlineData?: Inline;
  functionCall?: { id?: string; name?: string; args?: object };
  thoughtSignature?: string;
}

const nothing: Piece = { text: "", calls: [], pictures: [] };

/** The part of an answer that an event brings; throws where it says that the stream has failed. */
export function pieceOf(format: TextFormat, data: string): Piece {
  if (data === "[DONE]") return nothing;
  const event = JSON.parse(data) as StreamEvent;
  const failure = event.error ?? (event.type === "response.failed" ? event.response?.error : null);
  if (failure) throw new Error(failure.message ?? "");
  return { ...nothing, ...readers[format](event) };
}

const readers: Readonly<Record<TextFormat, (event: StreamEvent) => Partial<Piece>>> = {
  chat({ choices }) {
    const { content, tool_calls: calls = [], images = [] } = choices?.[0]?.delta ?? {};
    return {
      text: content ?? "",
      calls: calls.map(({ index = 0, id, function: called }) => ({
        place: String(index),
        ...(id !== undefined && { id }),
        ...called,
      })),
      pictures: images.flatMap(({ image_url: image }) => pictureIn(image?.url ?? "")),
    };
  },
  responses({ type, delta, item, output_index: index = 0 }) {
    if (type === "response.output_text.delta")
      return typeof delta === "string" ? { text: delta } : {};
    if (type !== "response.output_item.done") return {};
    if (item?.type === "image_generation_call" && item.result !== undefined) {
      return { pictures: pictureOf(`image/${item.output_format ?? "png"}`, item.result) };
    }
    if (item?.type !== "function_call") return {};
    const { call_id: id = "", name = "", arguments: text = "" } = item;
    return { calls: [{ place: String(index), id, name, arguments: text }] };
  },
  messages({ type, index = 0, delta, content_block: block }) {
    const place = String(index);
    if (type === "content_block_start" && block?.type === "tool_use") {
      return { calls: [{ place, id: block.id ?? "", name: block.name ?? "" }] };
    }
    if (type !== "content_block_delta" || typeof delta !== "object") return {};
    const { text = "", partial_json: json } = delta;
    return { text, calls: json === undefined ? [] : [{ place, arguments: json }] };
  },
  content({ candidates }) {
    const parts = candidates?.[0]?.content?.parts ?? [];
    return {
      text: parts.map(({ text = "", thought }) => (thought ? "" : text)).join(""),
      pictures: parts.flatMap(({ inlineData: inline }) =>
        pictureOf(inline?.mimeType ?? "", inline?.data ?? ""),
      ),
      calls: parts.flatMap(({ functionCall: call, thoughtSignature: signature }) => {
        if (!call) return [];
        const { id = crypto.randomUUID(), name = "", args = {} } = call;
        const proof = signature === undefined ? {} : { signature };
        return [{ place: id, id, name, arguments: JSON.stringify(args), ...proof }];
      }),
    };
  },
};

const pictureTypes = /^image\/(?:png|jpeg|webp|gif)$/;
const base64 = /^[A-Za-z0-9+/=]+$/;

/** Drawn types alone: one that has scripts is none of them. */
function pictureOf(type: string, data: string): Picture[] {
  if (!pictureTypes.test(type) || !base64.test(data)) return [];
  return [{ name: type.slice("image/".length), type, base64: data }];
}

function pictureIn(url: string): Picture[] {
  const [head = "", data = ""] = url.split(",", 2);
  const type = /^data:([^;]+);base64$/.exec(head)?.[1];
  return type === undefined ? [] : pictureOf(type, data);
}

/** Calls of an answer so far with one more piece of them. */
export function withPiece(
  calls: readonly PlacedCall[],
  { place, arguments: text = "", ...known }: CallPiece,
): readonly PlacedCall[] {
  const before = calls.find((one) => one.place === place);
  if (!before) return [...calls, { id: "", name: "", ...known, place, arguments: text }];
  const after = { ...before, ...known, arguments: before.arguments + text };
  return calls.map((one) => (one === before ? after : one));
}

export interface PlacedCall extends ToolCall {
  place: string;
}

/** Takes a stream apart into the data of its events, wherever it is cut into pieces. */
export class EventCutter {
  #rest = "";

  push(piece: string): string[] {
    const blocks = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const lines = block.split("\n").filter((line) => line.startsWith("data:"));
      return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).trimStart()).join("\n")];
    });
  }
}
