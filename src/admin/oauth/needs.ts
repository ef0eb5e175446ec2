// Needs of signing in through providers.
import type { Random } from "../../core/random.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { OAuth } from "../../identity/oauth/index.ts";
import type { SignInNeeds } from "../session/needs.ts";

export interface OAuthNeeds extends SignInNeeds {
  oauth: OAuth;
  random: Random;
  authenticator: Pick<Authenticator, "forget">;
}
