// The fields of a prediction that is an embedding.
import { bothSpelled } from "../kit/places/google-places.ts";
import { every } from "../kit/places/place.ts";

export const predictPlaces = bothSpelled({
  instances: bothSpelled(every("content taskType title", "text")),
});
