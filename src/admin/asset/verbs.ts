// How assets are listed, and what the reference says of it.
import { text, word } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { AssetView } from "./contract.ts";
import { listAssetViews } from "./list.ts";

const { list } = verbsOf("Records");

export const assetVerbs = {
  list: list("List assets", AssetView, listAssetViews, {
    account: { schema: text(), description: "By user name." },
    id: { schema: text() },
    kind: { schema: word("image", "video", "audio") },
    status: { schema: word("processing", "active", "failed") },
  }),
};
