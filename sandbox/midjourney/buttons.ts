// Buttons of a finished task. A button has a name that the next request gives back.
import { seedOf } from "../writer/seed.ts";

/** Effect of a button; one that `asks` waits until more is said. */
interface Deed {
  action: string;
  /** It makes four pictures to choose from. */
  isGrid: boolean;
  asks: boolean;
}

interface Button {
  customId: string;
  emoji: string;
  label: string;
  type: number;
  style: number;
}

interface Row {
  /** In the place of `$` comes what tells the parent's pictures from others. */
  name: string;
  emoji?: string;
  label?: string;
  deed: Deed;
}

const one = (action: string): Deed => ({ action, isGrid: false, asks: false });
const four = (action: string): Deed => ({ action, isGrid: true, asks: false });
const asking = (action: string): Deed => ({ action, isGrid: true, asks: true });
const places = [1, 2, 3, 4];

const underGrids: readonly Row[] = [
  ...places.map((at) => ({
    name: `MJ::JOB::upsample::${at}::$`,
    label: `U${at}`,
    deed: one("UPSCALE"),
  })),
  { name: "MJ::JOB::reroll::0::$::SOLO", emoji: "🔄", deed: four("REROLL") },
  ...places.map((at) => ({
    name: `MJ::JOB::variation::${at}::$`,
    label: `V${at}`,
    deed: four("VARIATION"),
  })),
];

const underSingles: readonly Row[] = [
  {
    name: "MJ::JOB::upsample_v7_2x_subtle::1::$::SOLO",
    label: "Upscale (Subtle)",
    deed: one("UPSCALE"),
  },
  { name: "MJ::JOB::low_variation::1::$::SOLO", label: "Vary (Subtle)", deed: four("VARIATION") },
  { name: "MJ::JOB::high_variation::1::$::SOLO", label: "Vary (Strong)", deed: four("VARIATION") },
  { name: "MJ::Inpaint::1::$::SOLO", label: "Vary (Region)", deed: asking("INPAINT") },
  { name: "MJ::Outpaint::50::1::$::SOLO", label: "Zoom Out 2x", deed: four("ZOOM") },
  { name: "MJ::Outpaint::75::1::$::SOLO", label: "Zoom Out 1.5x", deed: four("ZOOM") },
  { name: "MJ::CustomZoom::$", label: "Custom Zoom", deed: asking("ZOOM") },
  { name: "MJ::JOB::pan_left::1::$::SOLO", emoji: "⬅️", deed: four("PAN") },
  { name: "MJ::JOB::pan_right::1::$::SOLO", emoji: "➡️", deed: four("PAN") },
];

const underWords: readonly Row[] = places.map((at) => ({
  name: `MJ::Job::PicReader::${at}`,
  emoji: `${at}️⃣`,
  deed: four("IMAGINE"),
}));

/** A task that has ended with a grid, a single picture or words. */
export interface Parent {
  id: string;
  makes: "grid" | "single" | "words";
}

export function buttonsOf(parent: Parent): Button[] {
  return rowsOf(parent).map(({ name, emoji = "", label = "" }) => ({
    customId: nameIn(parent, name),
    emoji,
    label,
    type: 2,
    style: 2,
  }));
}

/** Null when the parent has no such button. */
export function deedOf(parent: Parent, customId: string): Deed | null {
  return rowsOf(parent).find(({ name }) => nameIn(parent, name) === customId)?.deed ?? null;
}

function rowsOf({ makes }: Parent): readonly Row[] {
  if (makes === "words") return underWords;
  return makes === "grid" ? underGrids : underSingles;
}

function nameIn({ id }: Parent, name: string): string {
  return name.replace("$", seedOf(id).toString(16).padStart(8, "0"));
}
