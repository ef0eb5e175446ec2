// Fonts for every script that the pictures show: those of the system, else Debian's, where root can
// install them.
import { installByApt } from "../harness/apt.ts";

const languages = ["zh", "ja", "ru"];
const installMsMax = 240_000;

/** Null where every script has its glyphs, else a sentence that says which have none. */
export async function missingFonts(): Promise<string | null> {
  if (lacking().length === 0) return null;
  const packages = {
    names: ["fontconfig", "fonts-noto-core", "fonts-noto-cjk"],
    msMax: installMsMax,
  };
  const failure = await installByApt("fonts for the scripts in the pictures", packages);
  const left = lacking();
  if (left.length === 0) return null;
  return `There is no font for ${left.join(", ")}: ${failure ?? "apt-get installed none"}.`;
}

function lacking(): string[] {
  if (Bun.which("fc-list") === null) return languages;
  return languages.filter((language) => {
    const { stdout } = Bun.spawnSync(["fc-list", `:lang=${language}`, "family"]);
    return stdout.toString().trim() === "";
  });
}
