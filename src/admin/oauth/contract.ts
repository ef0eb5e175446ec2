// Providers, and identities there, as they go over the wire.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";
import type { Success } from "../contract/reply.ts";

/** A site that people may sign in through. */
export const ProviderView = Type.Object({ name: text(), type: text() });
export type ProviderView = Static<typeof ProviderView>;

/** The answer of `GET /api/oauth/state`. */
export interface StateReply extends Success<string> {
  /** Where the browser goes with the state; null as long as no provider has been said. */
  authorize_url: string | null;
}

/** Who an account is at a provider. */
export const IdentityView = Type.Object({
  id: text(),
  /** By its name in the configuration. */
  provider: text(),
  /** This and the next as the provider told them last; both may be empty. */
  username: text(),
  display_name: text(),
  created_at: momentSchema,
  last_used_at: momentSchema,
});
export type IdentityView = Static<typeof IdentityView>;
