// For visitors: by password, passkey or another site, with a second factor where one is due, and
// the way to an account where registration is open.
import { useEffect } from "preact/hooks";
import { isOffline } from "../../core/api.ts";
import { forget, half, isLinkOver, joining, letter, link } from "../../core/arrival.ts";
import { loadReady, ready } from "../../core/ready.ts";
import { addressOf, query, setQuery } from "../../core/place.ts";
import { hasExpired, self, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Dot } from "../../kit/badge.tsx";
import { Mark } from "../../shell/mark.tsx";
import { Switches } from "../../shell/switches.tsx";
import { titleOf } from "../titles.ts";
import { AskLetter, askedLetter } from "./ask-letter.tsx";
import { LetterStep } from "./letter.tsx";
import { Leave, LinkStep } from "./link.tsx";
import { PasswordStep } from "./password.tsx";
import { Register } from "./register.tsx";
import { SecondStep } from "./second.tsx";
import { t } from "./words.ts";

export function Page() {
  const isSecond = half.value !== null;
  const isOther = isSecond || link.value !== null || letter.value !== null;
  const isNew = !isOther && wantsAccount();
  const name = site.value?.name ?? "Sluice";
  useEffect(() => {
    document.title = `${t().signIn} · ${name}`;
  }, [name]);
  useEffect(() => void loadReady(), [isOffline.value]);
  return (
    <div class="gate">
      <header>
        <Switches />
      </header>
      <main>
        <div class="box">
          <div class="brand">
            <Mark />
            <h1>{headingOf(name, isNew)}</h1>
          </div>
          <Notes />
          <Step isNew={isNew} />
        </div>
      </main>
      <footer>
        {ready.value !== null && (
          <Dot tone={ready.value ? "good" : "bad"}>{ready.value ? t().up : t().down}</Dot>
        )}
        {site.value?.shows_models && (
          <a class="link" href={addressOf("models")}>
            {titleOf("models")}
          </a>
        )}
        {site.value?.shows_status && (
          <a class="link" href={addressOf("status")}>
            {titleOf("status")}
          </a>
        )}
        <a class="link" href="/docs">
          {t().docs}
        </a>
      </footer>
    </div>
  );
}

function headingOf(name: string, isNew: boolean): string {
  if (isNew) return t().register;
  if (half.value !== null) return t().factors;
  if (letter.value !== null) return t().letters[letter.value.kind](name);
  return askedLetter() === "reset" ? t().letters.reset(name) : t().to(name);
}

function wantsAccount(): boolean {
  return query.value.has("register") || query.value.has("invitation");
}

function Step({ isNew }: { isNew: boolean }) {
  if (half.value !== null) return <SecondStep half={half.value} onBack={forget} />;
  if (letter.value !== null) return <LetterStep key={letter.value.token} letter={letter.value} />;
  if (link.value !== null) return <LinkStep key={link.value} text={link.value} />;
  // A signed-in person whose link is over needs no form.
  if (self.value) return <Leave />;
  const kind = isNew ? null : askedLetter();
  if (kind !== null) return <AskLetter key={kind} kind={kind} />;
  return (
    <>
      {isNew ? <Register /> : <PasswordStep />}
      <Other isNew={isNew} />
    </>
  );
}

function Notes() {
  const refused = query.value.get("oauth_error");
  const notice = site.value?.notice ?? null;
  return (
    <>
      {notice !== null && <p class="notice wrap">{notice}</p>}
      {isLinkOver.value && (
        <p class="notice bad" role="alert">
          {t().linkOver}
        </p>
      )}
      {joining.value !== null && (
        <p class="notice" role="status">
          {t().joining[site.value?.registration ?? "off"]}
        </p>
      )}
      {hasExpired.value && (
        <p class="notice warn" role="status">
          {t().expired}
        </p>
      )}
      {refused !== null && (
        <p class="notice bad" role="alert">
          {t().oauth(refused)}
        </p>
      )}
    </>
  );
}

function Other({ isNew }: { isNew: boolean }) {
  if (isNew) {
    const back = () => setQuery({ register: null, invitation: null });
    return (
      <Button kind="plain" onClick={back}>
        {t().have}
      </Button>
    );
  }
  const registration = site.value?.registration ?? "off";
  return (
    <>
      {registration !== "off" && (
        <Button kind="plain" onClick={() => setQuery({ register: "1" })}>
          {t().register}
        </Button>
      )}
      {site.value?.mail_link && (
        <Button kind="plain" onClick={() => setQuery({ letter: "mail" })}>
          {t().byMail}
        </Button>
      )}
      {site.value?.email === "off" || site.value === null ? (
        <p class="faint">
          {t().forgot} {t().forgotRoot}
        </p>
      ) : (
        <Button kind="plain" onClick={() => setQuery({ letter: "reset" })}>
          {t().forgotten}
        </Button>
      )}
    </>
  );
}
