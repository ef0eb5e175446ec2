// How a vendor reads the fields of a legacy completion.
import { recordOf } from "../kit/places/place.ts";
import { settings } from "../kit/places/openai-places.ts";

export const completionsPlaces = recordOf({ ...settings, prompt: "text", suffix: "text" });
