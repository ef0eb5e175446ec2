// For visitors: by password, passkey or another site, with a second factor where one is due, and
// the way to an account where registration is open.
import { useEffect, useState } from "preact/hooks";
import { loadReady, ready } from "../../core/ready.ts";
import { query, setQuery } from "../../core/place.ts";
import { hasExpired, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Dot } from "../../kit/badge.tsx";
import { Mark } from "../../shell/mark.tsx";
import { Switches } from "../../shell/screen.tsx";
import { PasswordStep } from "./password.tsx";
import { Register } from "./register.tsx";
import { SecondStep, type Half } from "./second.tsx";
import { t } from "./words.ts";

export function Page() {
  const [half, setHalf] = useState<Half | null>(halfOfFragment);
  const isNew = query.value.has("register") || query.value.has("invitation");
  const name = site.value?.name ?? "Sluice";
  useEffect(() => {
    document.title = `${t().title} · ${name}`;
    void loadReady();
  }, [name]);
  return (
    <div class="gate">
      <header>
        <Switches />
      </header>
      <main>
        <div class="box">
          <div class="brand">
            <Mark />
            <h1>{isNew ? t().registerTitle : half ? t().second : t().to(name)}</h1>
          </div>
          <Notes />
          {half ? (
            <SecondStep half={half} onBack={() => setHalf(null)} />
          ) : isNew ? (
            <Register />
          ) : (
            <PasswordStep onHalf={setHalf} />
          )}
          {!half && <Other isNew={isNew} />}
        </div>
      </main>
      <footer>
        {ready.value !== null && (
          <Dot tone={ready.value ? "good" : "bad"}>{ready.value ? t().up : t().down}</Dot>
        )}
        <a class="link" href="/docs">
          {t().docs}
        </a>
      </footer>
    </div>
  );
}

/** Whoever comes back from another site has the first half of it behind the `#`. */
function halfOfFragment(): Half | null {
  const parts = new URLSearchParams(location.hash.slice(1));
  const ticket = parts.get("ticket");
  if (ticket === null) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return { ticket, kinds: (parts.get("second_factor") ?? "").split(",") };
}

function Notes() {
  const refused = query.value.get("oauth_error");
  const notice = site.value?.notice ?? null;
  return (
    <>
      {notice !== null && <p class="notice wrap">{notice}</p>}
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
      <p class="faint">{t().forgot}</p>
    </>
  );
}
