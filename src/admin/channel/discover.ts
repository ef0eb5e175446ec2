// Lists the models of a vendor, with what they cost: of a channel that is there, or of one that is
// about to be made.
import { withRow } from "../../catalogue/catalogue.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import { OutboundFailed } from "../../core/outbound.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { listVendorModels } from "../../gateway/check-key.ts";
import { isPriced } from "../../gateway/list-models.ts";
import type { Operator } from "../../identity/caller.ts";
import { toPriceInput } from "../../quota/price-rows.ts";
import { readPrices } from "../../quota/queries.ts";
import { presets } from "../../upstreams/presets.ts";
import type { InputOf } from "../call.ts";
import { withoutSecrets } from "./check.ts";
import type { ChannelCalls, ChannelPreset, DiscoveredModel, Discovery } from "./contract.ts";
import { readSavedOrDraft } from "./draft.ts";
import type { ChannelNeeds } from "./needs.ts";
import { authorOf } from "./reach.ts";

export async function listPresets(): Promise<{ items: ChannelPreset[] }> {
  return {
    items: presets.map(({ name, title, type, format, baseUrl, isLocal, removes }) => ({
      name,
      title,
      type,
      format,
      base_url: baseUrl,
      allow_private: isLocal,
      parameters: removes.length === 0 ? {} : { remove: [...removes] },
    })),
  };
}

export async function discoverModels(
  needs: ChannelNeeds,
  operator: Operator,
  { body }: InputOf<ChannelCalls["discover"]>,
): Promise<Discovery> {
  const settings = await readSavedOrDraft(needs, authorOf(operator), body);
  const named = await namesOf(needs, settings);
  const { baseUrl: address } = settings;
  const rows = await needs.priceList.rows(named.names.map((name) => ({ name, address })));
  const own = new Map(
    (await readPrices(needs.database)).map(({ model, document }) => [model, document]),
  );
  const served = new Set(settings.models);
  const models = named.names.map((id, at): DiscoveredModel => {
    const row = rows[at] ?? null;
    const known = needs.catalogue.find(id) ?? (row ? withRow(id, row) : null);
    const kept = own.get(id);
    const listed = known && toPriceInput(id, known.price);
    return {
      id,
      name: known?.name ?? id,
      context_tokens: known?.inputTokensMax ?? row?.contextTokens ?? null,
      price: kept === undefined ? listed : JSON.parse(kept),
      is_priced: isPriced(needs.prices, id),
      is_served: served.has(id),
    };
  });
  return { source: named.source, models };
}

interface Named {
  names: string[];
  source: Discovery["source"];
}

async function namesOf(needs: ChannelNeeds, settings: ChannelSettings): Promise<Named> {
  const key = settings.keys.find(({ isEnabled }) => isEnabled) ?? settings.keys[0];
  if (!key) throw invalid("key", "is required");
  const listed = await listVendorModels(needs, { settings, key }).catch((error: unknown) => {
    const host = URL.parse(settings.baseUrl)?.host ?? "";
    const why = error instanceof OutboundFailed ? error.message : describe(error);
    const message =
      `The vendor at ${host} gave no list of its models: ${why}. ` +
      "See that this machine reaches it, or name them yourself.";
    throw new GatewayError("do_request_failed", {
      message: withoutSecrets(message, { settings, key }),
    });
  });
  if (listed) return { names: listed.toSorted(), source: "vendor" };
  const names = await needs.priceList.vendorModels(settings.baseUrl);
  if (names.length > 0) return { names: names.toSorted(), source: "list" };
  throw invalid("models", "must be named, since nobody lists the models at this address");
}
