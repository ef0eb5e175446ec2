// How a vendor reads the fields of a request for embeddings.
import { every, recordOf } from "../kit/places/place.ts";

export const embeddingsPlaces = recordOf(every("model input user encoding_format", "text"));
