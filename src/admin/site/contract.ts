// What a page may know before anybody is signed in, as it goes over the wire.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { ProviderView } from "../oauth/contract.ts";

export const SiteView = Type.Object({
  name: text("What the gateway is called."),
  version: text(),
  registration: Type.Unsafe<"off" | "invitation" | "open">({
    ...word("off", "invitation", "open"),
    description: "Whether people may make their own account.",
  }),
  providers: Type.Array(ProviderView, {
    description: "The sites that people may sign in through.",
  }),
  passkey: Type.Boolean({
    description: "Whether a passkey can be used at the address that this was asked by.",
  }),
  shows_models: Type.Boolean({ description: "Whether visitors see models and prices." }),
  shows_status: Type.Boolean({ description: "Whether visitors see how the models are doing." }),
  notice: orNull(text("Plain text that stands beside the sign-in.")),
  default_language: Type.Unsafe<"en" | "zh">({
    ...word("en", "zh"),
    description: "For those who have chosen none.",
  }),
});
export type SiteView = Static<typeof SiteView>;
