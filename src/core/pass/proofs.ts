// Texts by which a small call proves who makes it. Who refuses the call may say them back, and what
// it says is shown to operators and kept.
import type { PassCall } from "./pass.ts";

/** Such as `x-aws-ec2-metadata-token` and `x-identity-header`. */
const proofHeaders = /^authorization$|token$|^x-identity-header$/;
/** Such as `client_secret`, `client_assertion` and `WebIdentityToken`. */
const proofFields = /(?:secret|assertion|token)$/i;
/** Shorter ones may be words. */
const charactersMin = 8;

export function withoutProofs(text: string, { headers = {}, body = "" }: PassCall): string {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => proofHeaders.test(name))
    .map(([, value]) => value.replace(/^Bearer /, ""));
  const ofForm = [...new URLSearchParams(body)]
    .filter(([name]) => proofFields.test(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value)]);
  return [...ofHeaders, ...ofForm]
    .filter((proof) => proof.length >= charactersMin)
    .reduce((left, proof) => left.replaceAll(proof, "[secret]"), text);
}
