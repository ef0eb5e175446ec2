// Assets at Ark: each has a group of its own, because unrelated media do not belong into one.
import type { AssetAsk, AssetProgress, Target, VendorCall } from "../upstream.ts";
import { createAsset, createGroup, readAsset, type RegistryCall } from "./assets.ts";
import { readCredentials, registryUrl } from "./credentials.ts";

const project = "default";

export function accepts({ key }: Target): boolean {
  return readCredentials(key).pair !== null;
}

export async function registerAsset(
  { id, url, kind }: AssetAsk,
  call: VendorCall,
): Promise<string> {
  const registry = toRegistryCall(call);
  const groupId = await createGroup(id, registry);
  return await createAsset({ groupId, url, kind, name: id }, registry);
}

export async function assetStatus(reference: string, call: VendorCall): Promise<AssetProgress> {
  const state = await readAsset(reference, toRegistryCall(call));
  return state.kind === "active" ? { kind: "active" } : state;
}

function toRegistryCall({ target, nowSeconds, send }: VendorCall): RegistryCall {
  const { pair } = readCredentials(target.key);
  if (pair === null) throw new Error("the key has no pair for the registry");
  return { baseUrl: registryUrl(target.baseUrl), pair, project, nowSeconds, send };
}
