// Assets: each call with its function.
import { bind } from "../bind.ts";
import { assetCalls, ownAssetCalls } from "./contract.ts";
import { listAssetViews, listOwnAssetViews } from "./list.ts";
import { addAsset, readOwnAsset, removeAsset, uploadAsset } from "./own.ts";

export const assetVerbs = bind(assetCalls, { list: listAssetViews });

export const ownAssetVerbs = bind(ownAssetCalls, {
  list: listOwnAssetViews,
  add: addAsset,
  upload: uploadAsset,
  read: readOwnAsset,
  remove: removeAsset,
});
