// In place of a page: while its file is on its way, cannot be had, or is not there.
import { Button, LinkButton } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { titleOf, type PageName } from "../pages/titles.ts";
import { Screen } from "./screen.tsx";
import { t } from "./words.ts";

interface NoPageOptions {
  name: PageName;
  /** Null while it is on its way. */
  lost: "failed" | "away" | null;
}

export function NoPage({ name, lost }: NoPageOptions) {
  const words = t();
  if (lost === "failed") {
    return (
      <Screen title={words.broken}>
        <Empty title={words.broken} text={words.brokenText}>
          <Button icon="refresh" onClick={() => location.reload()}>
            {words.reload}
          </Button>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title={titleOf(name)} isComing={lost === null}>
      {lost === "away" && <Empty title={words.broken} text={words.awayText} />}
    </Screen>
  );
}

export function Missing() {
  const words = t();
  return (
    <Screen title={words.missing}>
      <Empty title={words.missing} text={words.missingText}>
        <LinkButton href="/">{words.home}</LinkButton>
      </Empty>
    </Screen>
  );
}
