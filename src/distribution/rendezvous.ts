// Weighted rendezvous hashing: every place has a score for a conversation, and the highest wins. It
// needs no table, so all nodes find the same place for it; of a place that is gone only its own
// conversations go elsewhere, and they come back with it. Shares are those of the weights.

/** A number for a text, the same on every node and in every version. */
export function seedOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return hash;
}

/** Above 0. By the seeds of the conversation and of the place. */
export function scoreOf(seed: number, place: number, weight: number): number {
  const unit = (mix(seed + Math.imul(mix(place), 0x9e_37_79_b1)) + 0.5) / 2 ** 32;
  return -weight / Math.log(unit);
}

/** All bits of the input change all bits of what comes out, from 0 to 2^32 - 1. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
