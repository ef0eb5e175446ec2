// What goes over the wire about providers and identities there, in its words. Types only.
import type { Success } from "./reply.ts";

/** A site that people may sign in through. */
export interface ProviderView {
  name: string;
  type: string;
}

/** The answer of `GET /api/oauth/state`. */
export interface StateReply extends Success<string> {
  /** Where the browser goes with the state; null as long as no provider has been said. */
  authorize_url: string | null;
}

/** Who an account is at a provider. */
export interface IdentityView {
  id: string;
  /** By its name in the configuration. */
  provider: string;
  /** This and the next as the provider told them last; both may be empty. */
  username: string;
  display_name: string;
  created_at: number;
  last_used_at: number;
}
