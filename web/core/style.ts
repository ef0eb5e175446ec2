// Styles of a page or a part, fetched with it: those that every page needs are in the first file.

/** Made by the build: the hash of each sheet by its name; without a build there are none. */
declare global {
  var STYLES: Readonly<Record<string, string>> | undefined;
}
const hashes = globalThis.STYLES ?? {};
const folder = "/console-assets/";

const arrived = new Map<string, Promise<void>>();

/** Nothing to wait for where there is no sheet of that name. */
export function loadStyle(name: string): Promise<void> {
  const hash = hashes[name];
  if (hash === undefined) return Promise.resolve();
  const fetched = arrived.get(name) ?? fetchSheet(`${folder}${name}-${hash}.css`);
  arrived.set(name, fetched);
  fetched.catch(() => arrived.delete(name));
  return fetched;
}

/** A part that is shown over any page, with the styles that every page but the first has. */
export async function withRest<File>(file: Promise<File>): Promise<File> {
  const [loaded] = await Promise.all([file, loadStyle("rest")]);
  return loaded;
}

function fetchSheet(href: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  link.onload = () => resolve();
  link.onerror = () => {
    link.remove();
    reject(new Error(`${href} could not be had`));
  };
  document.head.append(link);
  return promise;
}
