// The JSON of a request, weighed for how many tokens any vendor can count in it: what a tokenizer
// tells of it, and what it tells too little of.

interface PromptWeight {
  /** Latin text and code, to be counted. */
  text: string;
  /** Tokens of all else, at most. */
  tokens: number;
}

/** A long text of base64, by itself or as a data URL: a picture, or what calls itself one. */
const encoded = /"(?:data:[\w.+/-]{0,100};base64,)?[\w+/-]{256,}={0,2}"/g;
/** Letters of other scripts, and signs: tokenizers differ in them by five times and more. */
const foreign = /[\u{250}-\u{1dff}\u{1f00}-\u{1fff}\u{2070}-\u{10ffff}]+/gu;
const ideograph = /[\u{3000}-\u{30ff}\u{3400}-\u{9fff}\u{ac00}-\u{d7a3}\u{ff00}-\u{ffef}]/u;
/** An ideograph is three bytes, of which no tokenizer of these years makes three tokens. */
const ideographTokens = 2;

/** `mediaBytes` of it are pictures, which are held for by their number. */
export function weighPrompt(json: string, mediaBytes: number): PromptWeight {
  let encodedBytes = 0;
  const plain = json.replace(encoded, (text) => {
    encodedBytes += text.length;
    return '""';
  });
  let tokens = Math.max(0, encodedBytes - mediaBytes);
  const text = plain.replace(foreign, (run) => {
    for (const letter of run) {
      tokens += ideograph.test(letter) ? ideographTokens : Buffer.byteLength(letter);
    }
    return " ";
  });
  return { text, tokens };
}
