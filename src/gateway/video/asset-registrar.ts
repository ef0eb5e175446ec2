// The assets' way to the vendors: which channel of a group registers them, and what it says.
import type { Asset, AssetError, AssetPlace } from "../../assets/asset.ts";
import type { Registrar, AssetRegistration, Standing } from "../../assets/placer.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Channel } from "../../distribution/channel.ts";
import { findVideoFamily } from "../../families/index.ts";
import { VendorRefusal } from "../../upstreams/upstream.ts";
import { teller } from "../conceal.ts";
import {
  assetWay,
  findPlace,
  keyDigest,
  type VendorNeeds,
  type VendorPlace,
} from "../task/vendor-call.ts";

interface AssetRegistrarNeeds {
  vendors: VendorNeeds;
  log: Log;
}

const gone: AssetError = {
  code: "UpstreamGone",
  message: "The upstream that had the asset is gone: register it again.",
};

export class AssetRegistrar implements Registrar {
  readonly #needs: AssetRegistrarNeeds;

  constructor(needs: AssetRegistrarNeeds) {
    this.#needs = needs;
  }

  async register(asset: Asset): Promise<AssetRegistration> {
    const place = this.#choose(asset);
    const way = place && assetWay(this.#needs.vendors, place);
    if (!way) return { kind: "unneeded" };
    try {
      const { id, url, kind } = asset;
      const reference = await way.facet.register({ id, url, kind }, way.call);
      const { settings, key } = place;
      const chosen = { channelId: settings.id, keyDigest: keyDigest(key), reference };
      return { kind: "placed", place: chosen };
    } catch (error) {
      return this.#judge(error, asset, place);
    }
  }

  async status(asset: Asset, { reference, ...where }: AssetPlace): Promise<Standing> {
    const place = await findPlace(this.#needs.vendors, where);
    const way = place && assetWay(this.#needs.vendors, place);
    if (!way) return { kind: "failed", error: gone };
    try {
      const progress = await way.facet.status(reference, way.call);
      if (progress.kind !== "failed") return progress;
      const { client: conceal } = teller(place);
      const error = { code: conceal(progress.code), message: conceal(progress.message) };
      return { kind: "failed", error };
    } catch (error) {
      return this.#judge(error, asset, place);
    }
  }

  /** The best channel for models that take assets; one that is put aside is better than none. */
  #choose({ group, accountId }: Asset): VendorPlace | null {
    const { channels, clock } = this.#needs.vendors;
    const serving = channels
      .models(group)
      .filter((model) => findVideoFamily(model)?.takesAssets)
      .flatMap((model) => channels.candidates(model, group));
    const fit = [...new Set(serving)]
      .toSorted((a, b) => b.settings.priority - a.settings.priority)
      .filter((channel) => this.#placeOn(channel) !== null);
    const nowMs = clock.monotonicMs();
    const channel = fit.find(({ health }) => !health.isOut(nowMs, accountId)) ?? fit[0];
    return channel ? this.#placeOn(channel) : null;
  }

  #placeOn({ settings }: Channel): VendorPlace | null {
    const places = settings.keys
      .filter(({ isEnabled }) => isEnabled)
      .map((key) => ({ settings, key }));
    return places.find((place) => assetWay(this.#needs.vendors, place) !== null) ?? null;
  }

  /** Only what the vendor says of the asset itself is final. */
  #judge(error: unknown, asset: Asset, { settings, key }: VendorPlace) {
    const { client: conceal, operator } = teller({ settings, key });
    if (error instanceof VendorRefusal && error.fault.blame === "request") {
      const code = conceal(error.fault.code ?? "UpstreamRefused");
      return { kind: "failed", error: { code, message: conceal(error.message) } } as const;
    }
    this.#needs.log.warn("an upstream could not be asked about an asset", {
      asset: asset.id,
      channel: settings.name,
      error: operator(describe(error)),
    });
    return { kind: "unclear" } as const;
  }
}
