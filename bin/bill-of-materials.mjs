// The executable's bill of materials in CycloneDX: the packages that the lock file has for running
// it. No time and no chance is in it, so the same commit has the same one.
import { runtimePackage } from "./runtimes.mjs";

/** `platforms` are those whose runtimes are inside. */
export function makeBill(lock, { commit, platforms }) {
  const { name, version } = lock.packages[""];
  const root = `pkg:npm/${name}@${version}`;
  const found = shipped(lock, platforms);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name,
        version,
        purl: root,
        licenses: [{ license: { id: lock.packages[""].license } }],
        ...(commit !== "" && { properties: [{ name: "commit", value: commit }] }),
      },
    },
    components: found.map(toComponent),
    dependencies: [
      { ref: root, dependsOn: directOf(lock, "") },
      ...found.map(({ path, purl }) => ({ ref: purl, dependsOn: directOf(lock, path) })),
    ],
  };
}

function shipped(lock, platforms) {
  const runtimes = platforms.map((platform) => `node_modules/${runtimePackage(platform)}`);
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional }]) => path !== "" && !dev && !optional)
    .map(([path]) => path)
    .concat(runtimes)
    .sort()
    .map((path) => {
      const entry = lock.packages[path];
      const name = nameOf(path);
      return { path, name, entry, purl: purlOf(name, entry) };
    });
}

function toComponent({ name, entry, purl }) {
  const [, kind, digest] = /^sha(\d+)-(.+)$/.exec(entry.integrity);
  const content = Buffer.from(digest, "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version: entry.version,
    purl,
    hashes: [{ alg: `SHA-${kind}`, content }],
    ...(entry.license && { licenses: [{ expression: entry.license }] }),
  };
}

/** Resolve like Node: in the package's own folder first, then in those above it. */
function directOf(lock, path) {
  return Object.keys(lock.packages[path].dependencies ?? {})
    .map((name) => {
      for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf("/node_modules/"))) {
        const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
        const entry = lock.packages[place];
        if (entry) return purlOf(name, entry);
        if (!folder.includes("/node_modules/")) {
          return purlOf(name, lock.packages[`node_modules/${name}`]);
        }
      }
    })
    .sort();
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function purlOf(name, { version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
