// Checks the content blocks of a request: those whose type is known must have their fields right,
// those of other types pass.
import { invalid } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";

type SeeBlock = (block: JsonObject) => void;
type Kinds = readonly string[];
type Fields = readonly (readonly [name: string, kinds: Kinds])[];
type Tables = Readonly<Record<string, Readonly<Record<string, Kinds>>>>;

const text = ["string"];
const maybeText = ["string", "null", "undefined"];
const maybeObject = ["object", "null", "undefined"];

/** Lists of fields, made once: every block of every request is checked by one. */
function byType(tables: Tables): ReadonlyMap<string, Fields> {
  return new Map(Object.entries(tables).map(([type, table]) => [type, Object.entries(table)]));
}

const blockFields = byType({
  text: { text },
  image: { source: ["object"] },
  document: { source: ["object"], title: maybeText, context: maybeText },
  search_result: { source: text, title: text, content: ["array"] },
  thinking: { thinking: text, signature: maybeText },
  redacted_thinking: { data: text },
  tool_use: { id: text, name: text, input: maybeObject },
  tool_result: {
    tool_use_id: text,
    content: ["string", "array", "null", "undefined"],
    is_error: ["boolean", "null", "undefined"],
  },
});

const markFields: Fields = [["cache_control", maybeObject]];

const sourceFields = byType({
  base64: { media_type: text, data: text },
  url: { url: text },
  text: { data: text },
  file: { file_id: text },
  content: { content: ["string", "array"] },
});

/** Shows every block, those inside others too; throws the 400 about the first that is wrong. */
export function checkBlocks(blocks: readonly unknown[], at: string, see: SeeBlock): void {
  for (const [index, block] of blocks.entries()) {
    const place = `${at}.${index}`;
    if (!isObject(block)) throw invalid(place, "must be an object");
    const type = readType(block, place);
    checkFields(block, blockFields.get(type), place);
    checkFields(block, markFields, place);
    const { content, source } = block;
    if (type === "image" || type === "document") checkSource(source, `${place}.source`, see);
    see(block);
    if (Array.isArray(content)) checkBlocks(content, `${place}.content`, see);
  }
}

function checkSource(source: unknown, place: string, see: SeeBlock): void {
  if (!isObject(source)) return;
  checkFields(source, sourceFields.get(readType(source, place)), place);
  const { content } = source;
  if (Array.isArray(content)) checkBlocks(content, `${place}.content`, see);
}

function readType(holder: JsonObject, place: string): string {
  const { type } = holder;
  if (type === undefined) throw invalid(`${place}.type`, "is required");
  if (typeof type !== "string") throw invalid(`${place}.type`, "must be a string");
  return type;
}

function checkFields(holder: JsonObject, fields: Fields | undefined, place: string): void {
  if (!fields) return;
  for (const [name, kinds] of fields) {
    const value = holder[name];
    if (kinds.includes(kindOf(value))) continue;
    if (value === undefined) throw invalid(`${place}.${name}`, "is required");
    throw invalid(`${place}.${name}`, `must be ${kinds.filter(isSaid).join(" or ")}`);
  }
}

function isSaid(kind: string): boolean {
  return kind !== "undefined";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
