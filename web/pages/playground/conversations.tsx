// The way to other conversations, and to a new one.
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../kit/button.tsx";
import { later } from "../../kit/later.tsx";
import { turns } from "./state.ts";
import { loadTalks, newTalk, talkId } from "./talks.ts";
import { t } from "./words.ts";

const TalkList = later(async () => (await import("./talk-list.tsx")).TalkList);

export function Conversations() {
  const words = t();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => void loadTalks(), [talkId()]);
  return (
    <>
      {turns.value.length > 0 && (
        <Button isSmall icon="plus" onClick={newTalk}>
          {words.newTalk}
        </Button>
      )}
      <Button isSmall icon="playground" onClick={() => setOpen(true)}>
        {words.talks}
      </Button>
      {isOpen && <TalkList onClose={() => setOpen(false)} />}
    </>
  );
}
