// Providers, and identities there, as they go over the wire, and their calls.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { momentSchema, nothing, removed } from "../contract/basics.ts";
import type { Success } from "../contract/reply.ts";
import { entered } from "../session/contract.ts";

/** A site that people may sign in through. */
export const ProviderView = Type.Object({ name: text(), type: text() });
export type ProviderView = Static<typeof ProviderView>;

/** The answer of `GET /api/oauth/state`. */
export interface StateReply extends Success<string> {
  /** Address that the browser goes to with the state; null as long as no provider has been said. */
  authorize_url: string | null;
}

/** An account's identity at a provider. */
export const IdentityView = Type.Object({
  id: text(),
  /** The provider's name in the configuration. */
  provider: text(),
  /** This and the next as the provider told them last; both may be empty. */
  username: text(),
  display_name: text(),
  created_at: momentSchema,
  last_used_at: momentSchema,
});
export type IdentityView = Static<typeof IdentityView>;

const { open } = callsOf("Signing in");
const { call, list } = callsOf("Own account");

export const identityCalls = {
  list: list("GET /api/user/self/identities", "List who one is at other sites", {
    item: IdentityView,
    filter: {},
  }),
  unlink: call("DELETE /api/user/self/identities/{id}", "Unlink another site", {
    answer: removed,
  }),
};

/** Redirects of browsers, there and back, are served by hand. */
export const oauthCalls = {
  list: open("GET /api/oauth", "List the sites that people may sign in through", {
    faceless: "The site's own description has them, which the door reads first.",
    answer: Type.Array(ProviderView),
  }),
  state: open("GET /api/oauth/state", "Begin to sign in through a site", {
    faceless: "For doors of others; the console's links go to the site at once.",
    description:
      "The state is for this browser, for one use, for ten minutes. Beside data, authorize_url " +
      "is where the browser goes with it; null as long as no site is named.",
    query: {
      provider: { schema: text(), description: "By its name in the configuration." },
      invitation: { schema: text() },
    },
    answer: text("The state."),
  }),
  authorize: open("GET /api/oauth/{provider}/authorize", "Go to the site", {
    query: { state: { schema: text() }, invitation: { schema: text() } },
    takesAnyQuery: true,
    redirect: "To the site; or to the landing page with `oauth_error` where it cannot begin.",
    answer: nothing,
  }),
  callback: open("GET /api/oauth/{provider}", "Come back from the site", {
    faceless: "Sites send browsers to it.",
    query: { code: { schema: text() }, state: { schema: text() } },
    takesAnyQuery: true,
    redirect: "To the landing page, for a browser that asks for a page.",
    answer: entered,
  }),
};
export type IdentityCalls = typeof identityCalls;
export type OAuthCalls = typeof oauthCalls;
