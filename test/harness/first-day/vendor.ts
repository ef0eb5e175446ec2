// A vendor of every wire that the pages add channels for: it lists models and says hello.
import { completion, Vendor } from "../vendor.ts";

const models = ["gpt-5", "gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-flash", "deepseek-chat"];

const list = {
  object: "list",
  has_more: false,
  data: models.map((id) => ({ id, type: "model", object: "model", created: 1, owned_by: "them" })),
  models: models.map((id) => ({
    name: `models/${id}`,
    supportedGenerationMethods: ["generateContent"],
  })),
};

export function helloVendor(): Vendor {
  return new Vendor(({ path }, reply) => {
    reply.json(path.includes("/models") ? list : completion("Hello."));
  });
}
