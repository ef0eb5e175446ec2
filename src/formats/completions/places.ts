// The fields of a legacy completion as a vendor reads them.
import { objectWith } from "../kit/places/place.ts";
import { settings } from "../kit/places/openai-places.ts";

export const completionsPlaces = objectWith({ ...settings, prompt: "text", suffix: "text" });
