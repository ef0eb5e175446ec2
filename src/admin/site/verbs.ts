// What visitors may ask, and what the reference says of it.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { Type } from "../../core/schema.ts";
import { listFields, pages } from "../contract/basics.ts";
import { byModel, ModelView } from "../model/contract.ts";

import { SiteView } from "./contract.ts";

const tag = "Signing in";

export const siteEntries = {
  read: {
    tag,
    summary: "What the gateway is called, and how one gets in",
    description: "For a page on which people sign in. Nothing of it is anybody's own.",
    answer: SiteView,
  },
  listModels: {
    tag,
    summary: "List the models that visitors are shown, with what they cost",
    description: "Where `site.shows_models` is on; those of the group `default`.",
    query: { ...pages, ...byModel },
    answer: Type.Object(listFields(ModelView)),
  },
} satisfies Record<string, ReferenceEntry>;
