// Facts that a page may know before anybody is signed in, on the wire, and their calls.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { listFields, pages } from "../contract/basics.ts";
import { healthQuery, ModelsHealth } from "../health/contract.ts";
import { byModel, ModelView } from "../model/contract.ts";
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
  email: Type.Unsafe<"off" | "optional" | "required">({
    ...word("off", "optional", "required"),
    description: "Whether people have an e-mail address here, by which passwords are reset.",
  }),
  mail_link: Type.Boolean({ description: "Whether one may sign in by a link in a letter." }),
  shows_models: Type.Boolean({ description: "Whether visitors see models and prices." }),
  shows_status: Type.Boolean({ description: "Whether visitors see how the models are doing." }),
  notice: orNull(text("Plain text that stands beside the sign-in.")),
  default_language: text("For those who have chosen none, such as en."),
});
export type SiteView = Static<typeof SiteView>;

const { open } = callsOf("Signing in");

export const siteCalls = {
  read: open("GET /api/site", "What the gateway is called, and how one gets in", {
    description: "For a page on which people sign in. Nothing of it is anybody's own.",
    answer: SiteView,
  }),
  listModels: open(
    "GET /api/site/models",
    "List the models that visitors are shown, with what they cost",
    {
      description: "Where `site.shows_models` is on; those of the group `default`.",
      query: { ...pages, ...byModel },
      answer: Type.Object(listFields(ModelView)),
    },
  ),
  readHealth: open("GET /api/site/health", "How the models that visitors are shown are doing", {
    description:
      "Where `site.shows_status` is on; those of the group `default`, made anew every half a " +
      "minute.",
    query: healthQuery,
    answer: ModelsHealth,
  }),
};
export type SiteCalls = typeof siteCalls;
