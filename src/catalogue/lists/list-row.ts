// One model of the published price list in the catalogue's own words: micros in place of dollars,
// percents in place of tiers.
import { noPrice, type ListedPrice } from "../model.ts";
import type { LongContext } from "../surcharges.ts";

/** A model as the list has it. It is written to the database, so its fields stay as they are. */
export interface ListRow {
  /** The list's own word for who sells it. */
  vendor: string;
  name: string;
  kind: "text" | "embedding";
  contextTokens: number | null;
  price: ListedPrice;
}

/** A price that grows with the length of the input. */
interface Tiered {
  base: number;
  tiers: readonly { start: number; price: number }[];
}

/** Dollars, by what they are for. */
type ListPrice = Readonly<Record<string, number | Tiered | undefined>>;

interface ListCondition {
  constraint?: { type: "start_date"; start_date: string } | { type: "time_of_date" };
  prices: ListPrice;
}

interface ListModel {
  id: string;
  name?: string;
  context_window?: number;
  prices: ListPrice | ListCondition[];
}

const microsPerDollar = 1_000_000;
const callsPerThousand = 1000;

/** Null where it has no price, or only one by units that are not charged for here. */
export function toListRow(vendor: string, model: ListModel, nowMs: number): ListRow | null {
  const prices = pricesAt(model.prices, nowMs);
  const price = withSpokenInput(model.id, dearest(prices.map(toListed)));
  if (price.inputMicrosPerMillion === null && price.callMicros === null) return null;
  const isEmbedding = prices.every(({ output_mtok: output }) => output === undefined);
  return {
    vendor,
    name: model.name ?? model.id,
    kind: isEmbedding && price.callMicros === null ? "embedding" : "text",
    contextTokens: model.context_window ?? null,
    price,
  };
}

/** OpenAI's own prices of spoken input, which the list leaves out: the text's is far lower. */
const spokenInputs: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4o-audio/, 40_000_000],
  [/^gpt-(?:4o-mini-audio|audio-mini)/, 10_000_000],
  [/^gpt-audio/, 32_000_000],
];

function withSpokenInput(id: string, price: ListedPrice): ListedPrice {
  if (price.audioInputMicrosPerMillion !== null) return price;
  const [, spoken = null] = spokenInputs.find(([pattern]) => pattern.test(id)) ?? [];
  return { ...price, audioInputMicrosPerMillion: spoken };
}

/** The newest that has begun, and whatever holds for some hours of the day. */
function pricesAt(prices: ListModel["prices"], nowMs: number): ListPrice[] {
  if (!isConditional(prices)) return [prices];
  const begun = prices.filter(
    ({ constraint }) =>
      constraint?.type !== "time_of_date" &&
      (!constraint || Date.parse(constraint.start_date) <= nowMs),
  );
  const hours = prices.filter(({ constraint }) => constraint?.type === "time_of_date");
  return [...begun.slice(-1), ...hours].map((one) => one.prices);
}

function isConditional(prices: ListModel["prices"]): prices is ListCondition[] {
  return Array.isArray(prices);
}

function toListed(prices: ListPrice): ListedPrice {
  const micros = (...names: string[]) => largest(names.map((name) => perMillion(prices[name])));
  const input = micros("input_mtok");
  // Output dearer than plain output and not told apart in a reply is charged as all of it.
  const output = micros("output_mtok", "output_reasoning_mtok", "output_image_mtok");
  const longContext = toLongContext(prices);
  const toolMicros = toTools(prices);
  return {
    ...noPrice,
    inputMicrosPerMillion: input,
    outputMicrosPerMillion: input === null ? output : (output ?? 0),
    cacheReadMicrosPerMillion: micros("cache_read_mtok"),
    cacheWriteMicrosPerMillion: micros("cache_write_mtok"),
    cacheWriteHourMicrosPerMillion: micros("cache_write_1h_mtok"),
    audioInputMicrosPerMillion: micros("input_audio_mtok"),
    audioOutputMicrosPerMillion: micros("output_audio_mtok"),
    callMicros: perCall(prices["requests_kcount"]),
    ...(longContext && { longContext }),
    ...(Object.keys(toolMicros).length > 0 && { toolMicros }),
  };
}

function perMillion(price: ListPrice[string]): number | null {
  const dollars = typeof price === "object" ? price.base : price;
  return dollars === undefined ? null : roundUp(dollars * microsPerDollar);
}

function perCall(price: ListPrice[string]): number | null {
  const micros = perMillion(price);
  return micros === null ? null : Math.ceil(micros / callsPerThousand);
}

/** A sum of binary fractions is not to cost one micro more than what is printed. */
function roundUp(value: number): number {
  return Math.ceil(Number(value.toFixed(6)));
}

const toolNames: Readonly<Record<string, string>> = {
  web_searches_kcount: "web_search",
  storage_searches_kcount: "file_search",
};

function toTools(prices: ListPrice): Record<string, number> {
  const entries = Object.entries(toolNames).flatMap(([field, tool]): [string, number][] => {
    const micros = perCall(prices[field]);
    return micros === null ? [] : [[tool, micros]];
  });
  return Object.fromEntries(entries);
}

function toLongContext(prices: ListPrice): LongContext | null {
  const grown = ["input_mtok", "cache_read_mtok", "cache_write_mtok"].map((name) => prices[name]);
  const tiers = [...grown, prices["output_mtok"]].flatMap((price) =>
    typeof price === "object" ? price.tiers : [],
  );
  if (tiers.length === 0) return null;
  return {
    // The shortest of several lengths, at the price of the longest: never below what is paid.
    aboveTokens: Math.min(...tiers.map(({ start }) => start)),
    inputPercent: Math.max(...grown.map(percentOf)),
    outputPercent: percentOf(prices["output_mtok"]),
  };
}

function percentOf(price: ListPrice[string]): number {
  if (typeof price !== "object" || price.base === 0) return 100;
  return roundUp((Math.max(...price.tiers.map((tier) => tier.price)) / price.base) * 100);
}

/** Highest of each amount, where it is not known which of several prices holds. */
export function dearest(prices: readonly ListedPrice[]): ListedPrice {
  const amount = (read: (price: ListedPrice) => number | null) => largest(prices.map(read));
  const tools = prices.flatMap(({ toolMicros }) => Object.entries(toolMicros ?? {}));
  const longs = prices.flatMap(({ longContext }) => longContext ?? []);
  return {
    ...noPrice,
    inputMicrosPerMillion: amount((price) => price.inputMicrosPerMillion),
    outputMicrosPerMillion: amount((price) => price.outputMicrosPerMillion),
    cacheReadMicrosPerMillion: whereAll(prices, (price) => price.cacheReadMicrosPerMillion),
    cacheWriteMicrosPerMillion: amount((price) => price.cacheWriteMicrosPerMillion),
    cacheWriteHourMicrosPerMillion: amount((price) => price.cacheWriteHourMicrosPerMillion),
    audioInputMicrosPerMillion: amount((price) => price.audioInputMicrosPerMillion),
    audioOutputMicrosPerMillion: amount((price) => price.audioOutputMicrosPerMillion),
    callMicros: amount((price) => price.callMicros),
    ...(longs.length > 0 && { longContext: longest(longs) }),
    ...(tools.length > 0 && { toolMicros: highest(tools) }),
  };
}

/** A cache is read at the input's price wherever one of them names no other. */
function whereAll(
  prices: readonly ListedPrice[],
  read: (price: ListedPrice) => number | null,
): number | null {
  return prices.every((price) => read(price) !== null) ? largest(prices.map(read)) : null;
}

function longest(longs: readonly LongContext[]): LongContext {
  return {
    aboveTokens: Math.min(...longs.map(({ aboveTokens }) => aboveTokens)),
    inputPercent: Math.max(...longs.map(({ inputPercent }) => inputPercent)),
    outputPercent: Math.max(...longs.map(({ outputPercent }) => outputPercent)),
  };
}

function highest(tools: readonly (readonly [string, number])[]): Record<string, number> {
  const microsByName: Record<string, number> = {};
  for (const [name, micros] of tools)
    microsByName[name] = Math.max(microsByName[name] ?? 0, micros);
  return microsByName;
}

function largest(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : Math.max(...known);
}
