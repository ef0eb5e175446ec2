// Every name of a video model, what it stands for and what it costs, found out by asking for it:
// the table of docs/families.md is made of this.
import { catalogueModels } from "../../src/catalogue/models.ts";
import { GatewayError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { VideoFamily } from "../../src/families/family.ts";
import { videoFamilies } from "../../src/families/index.ts";
import { layOut } from "./conversion-table.ts";
import { statusOf } from "../../src/http/envelopes/status.ts";

/** One of them is a request that each model takes; a name may stand for several models. */
const bodies: readonly JsonObject[] = [
  {},
  { video: "https://media.example/clip.mp4" },
  ...["480p", "720p", "1080p", "768p", "2k"].map((resolution) => ({ duration: 5, resolution })),
];

export function familiesTable(): string {
  const head = ["Family", "Name", "Model", "A second"];
  const rows = videoFamilies.flatMap((family) =>
    family.models.map((name, index) => {
      const models = modelsOf(family, name);
      const isAlias = models.join() !== name;
      return [
        index === 0 ? family.name : "",
        `\`${name}\``,
        isAlias ? models.map((model) => `\`${model}\``).join(", ") : "",
        models.map(priceOf).join(", "),
      ];
    }),
  );
  return layOut([head, ...rows]);
}

function modelsOf(family: VideoFamily, name: string): string[] {
  const models = bodies.flatMap((body) => {
    try {
      return [family.parse({ model: name, prompt: "A fox", ...body }).model];
    } catch (error) {
      if (error instanceof GatewayError && statusOf(error) === 400) return [];
      throw error;
    }
  });
  if (models.length === 0) throw new Error(`${name} takes none of the requests`);
  return [...new Set(models)];
}

function priceOf(model: string): string {
  const micros = catalogueModels.get(model)?.price.secondMicros ?? null;
  return micros === null ? "not listed" : `$${(micros / 1_000_000).toFixed(2)}`;
}
