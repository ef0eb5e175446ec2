// How people sign in through providers, and what the reference says of it. What sends browsers away
// and takes them back is served by hand, so only what is said of it stands here.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { nothing, removed } from "../contract/basics.ts";
import { entered } from "../session/contract.ts";
import { verbsOf } from "../verb.ts";
import { IdentityView, ProviderView } from "./contract.ts";
import { listIdentityViews } from "./list.ts";
import { unlinkIdentity } from "./unlink.ts";

const tag = "Signing in";
const { list, verb } = verbsOf("Own account");

export const identities = {
  list: list("List who one is at other sites", IdentityView, listIdentityViews),
  unlink: verb("Unlink another site", "id", unlinkIdentity, { answer: removed }),
};

export const oauthEntries = {
  list: {
    tag,
    summary: "List the sites that people may sign in through",
    answer: Type.Array(ProviderView),
  },
  state: {
    tag,
    summary: "Begin to sign in through a site",
    description:
      "The state is for this browser, for one use, for ten minutes. Beside data, authorize_url " +
      "is where the browser goes with it; null as long as no site is named.",
    query: {
      provider: { schema: text(), description: "By its name in the configuration." },
      invitation: { schema: text() },
    },
    answer: text("The state."),
  },
  authorize: {
    tag,
    summary: "Go to the site",
    query: { state: { schema: text() }, invitation: { schema: text() } },
    takesAnyQuery: true,
    redirect: "To the site; or to the landing page with `oauth_error` where it cannot begin.",
    answer: nothing,
  },
  callback: {
    tag,
    summary: "Come back from the site",
    query: { code: { schema: text() }, state: { schema: text() } },
    takesAnyQuery: true,
    redirect: "To the landing page, for a browser that asks for a page.",
    answer: entered,
  },
} satisfies Record<string, ReferenceEntry>;
