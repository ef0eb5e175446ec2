// A browser's words on itself, as a few of our own: whoever signs in writes that text, and a letter
// must not say theirs.

const browsers = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ["Opera", /\bOPR\/(\d+)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /\b(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
  ["curl", /^curl\/(\d+)/],
] as const;

const systems = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** Such as `Firefox 140, Linux`; null where neither is known. */
export function wordsOfAgent(agent: string): string | null {
  const browser = browsers.flatMap(([name, shape]) => {
    const version = shape.exec(agent)?.[1];
    return version === undefined ? [] : [`${name} ${version.slice(0, 4)}`];
  })[0];
  const system = systems.find(([, shape]) => shape.test(agent))?.[0];
  const words = [browser, system].filter((word) => word !== undefined);
  return words.length === 0 ? null : words.join(", ");
}
