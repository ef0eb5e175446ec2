// Every name of an image model, what it stands for and what it costs, found out by asking for it:
// the tables of docs/images.md are made of this.
import { catalogueModels } from "../../src/catalogue/models.ts";
import { imageFamilies, imgFModel } from "../../src/families/index.ts";
import { imgFActions } from "../../src/families/img-f-job.ts";
import { snapshotMedia } from "../../src/quota/media-price.ts";
import { layOut } from "./conversion-table.ts";

const resolutions = ["1k", "2k", "4k"];
const making = { kind: "generate", isForm: false } as const;

export function imagesTables(): string {
  return [imagesTable(), imgFTable()].join("\n\n");
}

function imagesTable(): string {
  const head = ["Family", "Name", "Model", ...resolutions.map((one) => one.toUpperCase())];
  const rows = imageFamilies.flatMap((family) =>
    family.models.map((name, index) => {
      const { model } = family.parse({ model: name, prompt: "A fox" }, making);
      return [
        index === 0 ? family.name : "",
        `\`${name}\``,
        model === name ? "" : `\`${model}\``,
        ...resolutions.map((resolution) => imagePrice(model, resolution)),
      ];
    }),
  );
  return layOut([head, ...rows]);
}

function imgFTable(): string {
  const rows = imgFActions.flatMap((action) => {
    const { id = "", price } = catalogueModels.get(imgFModel(action)) ?? {};
    if (!price) return [];
    return [[`\`/imgF/submit/${action}\``, `\`${id}\``, dollars(price.callMicros)]];
  });
  return layOut([["Request", "Model", "A task"], ...rows]);
}

function imagePrice(model: string, resolution: string): string {
  const price = catalogueModels.get(model)?.price;
  const facts = { size: null, quality: null, resolution, tier: null };
  const asked = { kind: "image", multiplierPpm: 1_000_000 } as const;
  return dollars((price && snapshotMedia(price, facts, asked)?.imageMicros) ?? null);
}

function dollars(micros: number | null): string {
  return micros === null ? "not listed" : `$${(micros / 1_000_000).toFixed(3)}`;
}
