// The fields of a request for embeddings as a vendor reads them.
import { every, objectWith } from "../kit/places/place.ts";

export const embeddingsPlaces = objectWith(every("model input user encoding_format", "text"));
