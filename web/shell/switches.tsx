// Switches of the language and the theme, on every page and beside the sign-in.
import { chooseLanguage, organisations } from "../core/session.ts";
import { isDark, setTheme } from "../core/theme.ts";
import { language, languages } from "../core/words.ts";
import { Button } from "../kit/button.tsx";
import { Menu } from "../kit/menu.tsx";
import { t } from "./words.ts";

/**
 * Language and theme, for those who are signed in and those who are not. On a phone the theme
 * leaves its place to the switch between organisations: the preferences have it too.
 */
export function Switches() {
  const name = isDark() ? t().lightTheme : t().darkTheme;
  const others = languages.filter(({ tag }) => tag !== language.value);
  return (
    <>
      <span class="wide">
        <Menu
          label={t().language}
          icon="language"
          isSmall={false}
          items={others.map(({ tag, name: label, locale: lang }) => {
            return { label, lang, run: () => void chooseLanguage(tag) };
          })}
        />
      </span>
      <span class={organisations.value.length > 0 ? "wide" : "theme"}>
        <Button
          kind="plain"
          icon={isDark() ? "sun" : "moon"}
          label={name}
          onClick={() => setTheme(isDark() ? "light" : "dark")}
        />
      </span>
    </>
  );
}
