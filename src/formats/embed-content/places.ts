// The fields of a request for embeddings as Google reads them.
import { bothSpelled, contentPlace } from "../kit/places/google-places.ts";
import { every } from "../kit/places/place.ts";

export const embedPlaces = bothSpelled({
  ...every("model taskType title", "text"),
  content: contentPlace,
});

export const batchEmbedPlaces = bothSpelled({ requests: embedPlaces });
