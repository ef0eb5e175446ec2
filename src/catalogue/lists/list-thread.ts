// The thread that has the published price list in memory. It is started for a question and ended
// with its answer, so that the gateway is none the larger for it.
import { calcPrice, findProvider, waitForUpdate, type Provider } from "@pydantic/genai-prices";
import { toListRow, type ListRow } from "./list-row.ts";
import { isOtherVariant, rowOfVersion } from "./variants.ts";

/** A model by the name that is asked for at an address. */
export interface ListAsk {
  name: string;
  address: string;
}

/** Found at the vendor who has the address, or by the name alone at whoever made the model. */
export interface FoundRow extends ListRow {
  by: "address" | "name";
}

/** The lowest amounts above nothing, in micros for a million tokens. */
export interface LowestPrice {
  input: number | null;
  output: number | null;
}

export interface ListQuestion {
  nowMs: number;
  /** Each is answered in its place. */
  asks: readonly ListAsk[];
  /** Address of the vendor whose models are to be listed. */
  vendorAt: string | null;
  /** Model whose lowest price is asked for. */
  lowestOf: string | null;
}

export interface ListAnswer {
  rows: (FoundRow | null)[];
  /** Empty where the list does not know the vendor. */
  vendorModels: string[];
  lowest: { ofModel: LowestPrice; ofAll: LowestPrice } | null;
}

declare const self: Worker;

self.onmessage = (event: MessageEvent<ListQuestion>) => void answer(event.data);

async function answer({ asks, nowMs, vendorAt, lowestOf }: ListQuestion): Promise<void> {
  const providers = (await waitForUpdate()) ?? [];
  const vendor = vendorAt === null ? undefined : vendorOf(vendorAt);
  const reply: ListAnswer = {
    rows: asks.map((ask) => find(ask, nowMs)),
    vendorModels: (vendor?.models ?? [])
      .filter(({ deprecated }) => deprecated !== true)
      .map(({ id }) => id),
    lowest: lowestOf === null ? null : lowestPrices(providers, lowestOf, nowMs),
  };
  self.postMessage(reply);
}

/** Hosts of AWS that the list knows by no pattern, and who of it sells there. */
const otherHosts: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/bedrock-mantle\.[a-z0-9-]+\.api\.aws(?:\/|$)/, "aws"],
  [/^https:\/\/bedrock-runtime\.[a-z0-9-]+\.api\.aws(?:\/|$)/, "aws"],
  [/^https:\/\/bedrock-runtime-fips\.[a-z0-9-]+\.amazonaws\.com(?:\/|$)/, "aws"],
  [/^https:\/\/aws-external-anthropic\.[a-z0-9-]+\.api\.aws(?:\/|$)/, "anthropic"],
];

function vendorOf(address: string): Provider | undefined {
  const [, providerId] = otherHosts.find(([host]) => host.test(address)) ?? [];
  return findProvider(providerId === undefined ? { providerApiUrl: address } : { providerId });
}

/**
 * A model that an address's own vendor does not list is not looked for elsewhere: it would be a
 * guess.
 */
function find({ name, address }: ListAsk, nowMs: number): FoundRow | null {
  const vendor = vendorOf(address);
  const provider = vendor ?? findProvider({ modelId: name.toLowerCase() });
  const row = provider ? rowAt(provider, name, nowMs) : null;
  return row && { ...row, by: vendor ? "address" : "name" };
}

function rowAt(provider: Provider, name: string, nowMs: number): ListRow | null {
  const model = calcPrice({}, name, { provider })?.model;
  if (!model || isOtherVariant(name, model)) return null;
  return toListRow(provider.id, rowOfVersion(name) ?? model, nowMs);
}

function lowestPrices(
  providers: readonly Provider[],
  model: string,
  nowMs: number,
): ListAnswer["lowest"] {
  const all = providers.flatMap(({ id, models }) =>
    models.flatMap((one) => toListRow(id, one, nowMs) ?? []),
  );
  const own = providers.flatMap((provider) => rowAt(provider, model, nowMs) ?? []);
  return { ofModel: lowest(own), ofAll: lowest(all) };
}

function lowest(rows: readonly ListRow[]): LowestPrice {
  const least = (amounts: readonly (number | null)[]) => {
    const paid = amounts.filter((amount) => amount !== null && amount > 0);
    return paid.length === 0 ? null : Math.min(...paid.map(Number));
  };
  return {
    input: least(rows.map(({ price }) => price.inputMicrosPerMillion)),
    output: least(rows.map(({ price }) => price.outputMicrosPerMillion)),
  };
}
